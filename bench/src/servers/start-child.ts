// A server with many models, in a process of its own: `bench start` looks how long it takes until it listens.
import type { ModelDefinition } from '@modelwire/core'
import type { RouteOptions } from 'fastify'

/** The message of the process once it listens. */
export interface StartMessage {
  /** Milliseconds from the start of the process until all modules were loaded. */
  readonly loading: number
  /** Milliseconds from then on. */
  readonly building: number
  /** Milliseconds of CPU that all threads used altogether: unlike the others it does not mind a busy machine. */
  readonly cpu: number
  /** Resident megabytes. */
  readonly memory: number
  readonly routes: number
}

const { default: Fastify } = await import('fastify')
const { memory } = await import('@modelwire/connector-memory')
const { modelwire } = await import('@modelwire/core')
const { rest } = await import('@modelwire/rest')
// Since the process began, which is when `performance` begins to count.
const loading = performance.now()

// `runStart` wrote it.
const { models } = JSON.parse(process.argv[2] ?? '{}') as { models: number }
let routes = 0
const app = Fastify({ exposeHeadRoutes: false })
app.addHook('onRoute', (route: RouteOptions) => {
  routes += [route.method].flat().length
})
await app.register(modelwire, {
  dataSources: { db: memory() },
  models: Array.from({ length: models }, (_, at) => defineModel(at))
})
await app.register(rest, { prefix: '/api' })
await app.listen({ host: '127.0.0.1', port: 0 })
const { user, system } = process.cpuUsage()
const message: StartMessage = {
  loading,
  building: performance.now() - loading,
  cpu: (user + system) / 1000,
  memory: process.memoryUsage.rss() / 2 ** 20,
  routes
}
process.on('disconnect', () => process.exit())
process.send?.(message)

/** A persisted model of ten properties, as in a model file. */
function defineModel(at: number): ModelDefinition {
  return {
    name: `Model${at}`,
    plural: `Models${at}`,
    public: true,
    properties: {
      title: { type: 'string', required: true },
      note: 'string',
      amount: { type: 'number', required: true },
      weight: 'number',
      active: { type: 'boolean', default: true },
      created: { type: 'date', defaultFn: 'now' },
      changed: 'date',
      tags: ['string'],
      address: { type: { street: 'string', city: 'string' } },
      ownerId: { type: 'number', index: true }
    }
  }
}
