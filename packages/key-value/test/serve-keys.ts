import { type ModelClass, type ModelDefinition, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { keyValue, keyValueModel, kvMemory, type KeyValueConnector, type KeyValueMethods } from '#src/index.ts'

declare module '@modelwire/core' {
  interface Models {
    Cache: ModelClass & KeyValueMethods
  }
}

/** Serves the model Cache, and others that extend it or not. */
export async function serveKeys(
  t: Test,
  others: readonly ModelDefinition[] = [],
  connector: KeyValueConnector = kvMemory()
): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  const cache: ModelDefinition = { name: 'Cache', base: 'KeyValueModel', public: true }
  await app.register(modelwire, { dataSources: { keys: connector }, models: [keyValueModel, cache, ...others] })
  await app.register(keyValue)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}
