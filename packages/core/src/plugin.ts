import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import { protectLog } from '@modelwire/server'
import type { CoreOptions } from './options.ts'
import { serve } from './serve-registry.ts'
import { buildRegistry } from './build-registry.ts'

async function plugin(app: FastifyInstance, options: CoreOptions): Promise<void> {
  protectLog(app)
  const registry = buildRegistry(options, (error) => app.log.error(error, 'a change listener failed'))
  const { shutdownTime, purgeInterval } = options
  await serve(app, { registry, shutdownTime, purgeInterval })
}

/**
 * Declares models and data sources and decorates the server with `app.models`.
 * @example
 * ```ts
 * import { memory } from '@modelwire/connector-memory'
 * import { modelwire } from '@modelwire/core'
 * import Fastify from 'fastify'
 *
 * const server = Fastify()
 * await server.register(modelwire, { dataSources: { db: memory() }, models: [{ name: 'Note' }] })
 * const note = await server.models.get('Note').create({ text: 'Buy milk' })
 * console.log(note.getId()) // 1
 * ```
 */
export const modelwire = fp(plugin, { name: '@modelwire/core', fastify: '5.x' })
