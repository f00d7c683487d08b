import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const open = { public: true, dataSource: 'db' } as const

const models: readonly ModelDefinition[] = [
  { ...open, name: 'Note', properties: { text: 'string' } },
  { ...open, name: 'Code', properties: { code: { type: 'string', id: true } } },
  { ...open, name: 'Far', dataSource: 'far', http: { path: 'Notes/far' }, properties: { text: 'string' } }
]

/** A server, and what may be different in a test. */
export interface Wanted {
  readonly server?: FastifyServerOptions
  readonly options?: RestOptions
  readonly more?: readonly ModelDefinition[]
  /** Adds routes of the application. */
  readonly beside?: (app: FastifyInstance) => void
}

/** A server with batches, an API below `/api` and routes beside it. */
export async function startBatches(
  t: Test,
  { server, options, more = [], beside }: Wanted = {}
): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true, ...server })
  t.teardown(() => app.close())
  const dataSources = { db: memory({ transactions: true }), far: memory({ transactions: true }) }
  await app.register(modelwire, { dataSources, models: [...models, ...more] })
  for (const path of ['/metrics', '/internal/report', '/apix/Notes']) app.get(path, () => 'outside')
  beside?.(app)
  await app.register(rest, { prefix: '/api', batch: true, ...options })
  return app
}

/** The answer to one request of a batch. */
export interface Answered {
  readonly status: number
  readonly body?: { readonly error?: { readonly code?: string } } & Readonly<Record<string, unknown>>
}

/** Sends requests as a batch. */
export async function sendBatch(app: FastifyInstance, batch: object) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/batch',
    payload: batch
  })
  const body = answer.json<{ responses?: Answered[]; error?: { code?: string } }>()
  return { status: answer.statusCode, code: body.error?.code, responses: body.responses ?? [] }
}
