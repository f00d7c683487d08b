import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import { answerWhileSending } from './answers/pass-over.ts'
import { decorateCaller } from './caller/request-caller.ts'
import { checkOptions } from './check-options.ts'
import { orderDefinitions } from './model/order-definitions.ts'
import { InvalidOption } from './definition/errors.ts'
import { followWrites } from './follow-writes.ts'
import { fillDefaults } from './definition/fill-defaults.ts'
import { protectLog } from './logging/protect-log.ts'
import { CoreOptionsSchema, type CoreOptions, type DataSourceOption } from './options.ts'
import { onlyDataSource } from './model/attach-models.ts'
import { ModelRegistry } from './registry.ts'
import { endGracefully } from './shutdown/end-gracefully.ts'
import { serveSharedState } from './serve-shared-state.ts'
import { useSharedState } from './state-in-data-source/use-shared-state.ts'

/** Model classes by name. Applications extend it: `interface Models extends ModelsOf<typeof models> {}`. */
export interface Models {}

declare module 'fastify' {
  interface FastifyInstance {
    /** All models by name, and the registry that holds them. */
    models: ModelRegistry & Models
  }
}

const splitDataSource = (option: DataSourceOption) =>
  'capabilities' in option ? { connector: option, settings: {} } : { settings: {}, ...option }

/** A key is the name that the types of `app.models` know: nothing would be there under it. */
function refuseOtherNames(models: CoreOptions['models'] = []): void {
  if (Array.isArray(models)) return
  const wrong = Object.entries(models).find(([key, { name }]) => key !== name)
  if (wrong === undefined) return
  const [key, { name }] = wrong
  throw new InvalidOption(`the model is named "${name}": use this name as its key, or hand the models over as a list`, {
    key: `models.${key}`
  })
}

/**
 * Builds the registry of an application from the plugin's options.
 * @throws {InvalidOption} an option is unknown or malformed, or a model stands under another name than its own
 * @throws {DefinitionError} a definition is wrong
 */
export function buildRegistry(options: CoreOptions, onError: (error: unknown) => void): ModelRegistry {
  checkOptions('modelwire', CoreOptionsSchema, options)
  refuseOtherNames(options.models)
  const registry = new ModelRegistry({ ...options, onError })
  for (const [name, option] of Object.entries(options.dataSources ?? {})) {
    const { connector, settings } = splitDataSource(option)
    registry.addDataSource(name, connector, settings)
  }
  const only = onlyDataSource(registry.dataSources)
  for (const definition of orderDefinitions(Object.values(options.models ?? {}), registry)) {
    registry.define(definition)
    const wanted = definition.dataSource === undefined ? only : definition.dataSource
    if (wanted !== undefined) registry.attach(definition.name, wanted)
  }
  useSharedState(registry, options.sharedState)
  return registry
}

/** A registry that was made before its server. */
export interface ServedRegistry {
  readonly registry: ModelRegistry
  /** Milliseconds that running calls get when the server closes. */
  readonly shutdownTime?: number | undefined
  /** Seconds between two removals of what is over; 0: never. */
  readonly purgeInterval?: number | undefined
}

/** Seconds between two removals of what is over. */
const intervalOf = ({ purgeInterval }: Pick<ServedRegistry, 'purgeInterval'>): number =>
  fillDefaults(CoreOptionsSchema, purgeInterval === undefined ? {} : { purgeInterval }).purgeInterval

/** @throws {InvalidOption} the server has models already */
async function serve(app: FastifyInstance, served: ServedRegistry): Promise<void> {
  if (Object.hasOwn(app, 'models'))
    throw new InvalidOption(
      'modelwire is registered on this server already: register it once, with all data sources and models'
    )
  const { registry, shutdownTime } = served
  // Models are properties of the registry; their types come from the application's own declaration.
  app.decorate('models', registry as ModelRegistry & Models)
  decorateCaller(app)
  followWrites(app, registry.dataSources)
  registry.listenToDataSources((dataSource, error) =>
    app.log.error({ err: error, dataSource }, 'a data source reports an error')
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

async function plugin(app: FastifyInstance, options: CoreOptions): Promise<void> {
  protectLog(app)
  const registry = buildRegistry(options, (error) => app.log.error(error, 'a listener of changes failed'))
  const { shutdownTime, purgeInterval } = options
  await serve(app, { registry, shutdownTime, purgeInterval })
}

/** Declares models and data sources and decorates the server with `app.models`. */
export const modelwire = fp(plugin, { name: '@modelwire/core', fastify: '5.x' })

/**
 * Serves a registry that was made before its server: decorates it with `app.models`, opens the data sources before it
 * is ready and closes them with it. Use it instead of `modelwire`.
 */
export const serveRegistry = fp(serve, { name: '@modelwire/core', fastify: '5.x' })
