// A server with many models, or plain Fastify with the same routes, in a process of its own: `bench start` looks how long
// it takes until it listens.
import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance, RouteOptions } from 'fastify'

/** What the process starts. */
export interface StartRequest {
  readonly models: number
  /** What plain Fastify answers, for the first model; absent for Modelwire. */
  readonly routes?: readonly Route[]
}

/** A verb and a path. */
export type Route = readonly [verb: string, path: string]

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
  /** Pairs of a verb and a path. */
  readonly routes: number
  /** Those of the first model. */
  readonly ofFirst: readonly Route[]
}

// `runStart` wrote it.
const request = JSON.parse(process.argv[2] ?? '{}') as StartRequest
const { default: Fastify } = await import('fastify')
const addAll = request.routes === undefined ? await loadModelwire() : addRoutes
// Since the process began, which is when `performance` begins to count.
const loading = performance.now()

let routes = 0
const ofFirst: Route[] = []
const app = Fastify({ exposeHeadRoutes: false })
app.addHook('onRoute', ({ method, url }: RouteOptions) => {
  for (const verb of [method].flat()) {
    routes++
    if (/^\/api\/Models0(?:\/|$)/.test(url)) ofFirst.push([verb, url])
  }
})
await addAll(app)
await app.listen({ host: '127.0.0.1', port: 0 })
const { user, system } = process.cpuUsage()
const message: StartMessage = {
  loading,
  building: performance.now() - loading,
  cpu: (user + system) / 1000,
  memory: process.memoryUsage.rss() / 2 ** 20,
  routes,
  ofFirst
}
process.on('disconnect', () => process.exit())
process.send?.(message)

async function loadModelwire(): Promise<(scope: FastifyInstance) => Promise<void>> {
  const { memory } = await import('@modelwire/connector-memory')
  const { modelwire } = await import('@modelwire/core')
  const { rest } = await import('@modelwire/rest')
  return async (scope) => {
    await scope.register(modelwire, {
      dataSources: { db: memory() },
      models: Array.from({ length: request.models }, (_, at) => defineModel(at))
    })
    await scope.register(rest, { prefix: '/api' })
  }
}

/** The routes of each model, with nothing behind them. */
async function addRoutes(scope: FastifyInstance): Promise<void> {
  for (let at = 0; at < request.models; at++)
    for (const [verb, path] of request.routes ?? [])
      scope.route({
        method: verb,
        url: path.replace('Models0', `Models${at}`),
        handler: async () => ({})
      })
}

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
