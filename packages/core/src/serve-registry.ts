import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import {
  answerWhileSending,
  InvalidOption,
  fillDefaults,
  endGracefully,
  type SharedState,
  type Purge,
  runPurges
} from '@modelwire/server'
import { decorateCaller } from './caller/request-caller.ts'
import { CoreOptionsSchema } from './options.ts'
import type { ModelRegistry } from './registry.ts'
import { followWrites } from './follow-writes.ts'

/** The parts of a registry that are served. */
interface SharingRegistry {
  readonly shared: SharedState
  readonly purges: readonly Purge[]
}

/**
 * Model classes by name. Applications extend it: `interface Models extends ModelsOf<typeof models> {}`.
 * @example
 * ```ts
 * import { memory } from '@modelwire/connector-memory'
 * import { defineModel, modelwire, type ModelsOf } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 * import Fastify from 'fastify'
 *
 * const models = { Note: defineModel('Note', Type.Object({ text: Type.String() })) }
 * declare module '@modelwire/core' {
 *   interface Models extends ModelsOf<typeof models> {}
 * }
 * const server = Fastify()
 * await server.register(modelwire, { dataSources: { db: memory() }, models })
 * console.log((await server.models.Note.create({ text: 'Buy milk' })).text) // Buy milk
 * ```
 */
export interface Models {}

declare module 'fastify' {
  interface FastifyInstance {
    /** All models by name, and the registry that holds them. */
    models: ModelRegistry & Models
  }
}

/** A registry that was created before its server. */
export interface ServedRegistry {
  readonly registry: ModelRegistry
  /** Milliseconds that running calls may take to finish when the server closes. */
  readonly shutdownTime?: number | undefined
  /** Seconds between purges of expired data; 0: never. */
  readonly purgeInterval?: number | undefined
}

/** Seconds between two removals of what is over. */
const intervalOf = ({ purgeInterval }: Pick<ServedRegistry, 'purgeInterval'>): number =>
  fillDefaults(CoreOptionsSchema, purgeInterval === undefined ? {} : { purgeInterval }).purgeInterval

/** @throws {InvalidOption} the server has models already */
export async function serve(app: FastifyInstance, served: ServedRegistry): Promise<void> {
  if (Object.hasOwn(app, 'models'))
    throw new InvalidOption(
      'modelwire is already registered on this server: register it once, with all data sources and models'
    )
  const { registry, shutdownTime } = served
  // Models are properties of the registry; their types come from the application's own declaration.
  app.decorate('models', registry as ModelRegistry & Models)
  decorateCaller(app)
  followWrites(app, registry.dataSources)
  registry.listenToDataSources((dataSource, error) =>
    app.log.error({ err: error, dataSource }, 'a data source reported an error')
  )
  app.addHook('onReady', () => registry.connect())
  app.addHook('onError', async (request, reply) => answerWhileSending(request, reply))
  const stopSharing = serveSharedState(app, registry, intervalOf(served))
  const connectionsGone = endGracefully(app, shutdownTime)
  app.addHook('onClose', async () => {
    await connectionsGone()
    await stopSharing()
    await registry.disconnect()
  })
}

/**
 * Serves a registry that was created before its server: decorates it with `app.models`, opens the data sources before it is
 * ready and closes them with it. Use it instead of `modelwire`.
 */
export const serveRegistry = fp(serve, { name: '@modelwire/core', fastify: '5.x' })

/**
 * Opens the shared state before the server is ready, and removes what is over from time to time.
 * @param interval seconds between two removals; 0: never
 * @returns ends both
 */
function serveSharedState(
  app: FastifyInstance,
  { shared, purges }: SharingRegistry,
  interval: number
): () => Promise<void> {
  let running: ReturnType<typeof runPurges> | undefined
  app.addHook('onReady', async () => {
    await shared.open(app.log)
    running = runPurges({ shared, purges, interval: interval * 1000, log: app.log })
  })
  return async () => {
    await running?.stop()
    await shared.close()
  }
}
