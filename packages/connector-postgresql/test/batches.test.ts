import { request, type ServerResponse } from 'node:http'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

const connections = 5

const note = {
  name: 'Note',
  public: true,
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, text: 'string' },
  methods: {
    wait: { http: { verb: 'get', path: '/wait' }, accepts: [{ arg: 'res', type: 'object', http: { source: 'res' } }] }
  }
} as const

/** A server that has so many connections, and a method that never ends. */
async function start(t: Test, batch: { readonly timeout: number }): Promise<[FastifyInstance, ServerResponse[]]> {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: postgresql({ url, max: connections }) }, models: [note] })
  const waiting: ServerResponse[] = []
  const never = new Promise<never>(() => {})
  Object.assign(app.models.get('Note'), { wait: (res: ServerResponse) => waiting.push(res) && never })
  await app.register(rest, { prefix: '/api', batch })
  await app.listen({ host: '127.0.0.1', port: 0 })
  await migrate(app.models)
  return [app, waiting]
}

/** Sends an atomic batch that creates a record and goes on with `url`; gives what closes its connection. */
function send(app: FastifyInstance, url: string): () => void {
  const client = request(new URL('/api/batch', app.listeningOrigin), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' }
  })
  const requests = [
    { method: 'POST', url: '/Notes', body: { text: 'x' } },
    { method: 'GET', url }
  ]
  client.on('error', () => {}).on('response', (response) => response.resume())
  client.end(JSON.stringify({ atomic: true, requests }))
  return () => void client.destroy()
}

const sendAll = (app: FastifyInstance, url: string) => Array.from({ length: connections }, () => send(app, url))

const countOf = async (app: FastifyInstance) => (await app.inject('/api/Notes/count')).json<unknown>()

void t.test('atomic batches whose clients leave give their connections back', async (t) => {
  const [app, waiting] = await start(t, { timeout: 3600 })
  const leave = sendAll(app, '/Notes/wait')
  await until(() => waiting.length === connections, 'all connections to be held')
  for (const close of leave) close()
  t.strictSame(await countOf(app), { count: 0 })
  t.ok(waiting.every((res) => res.destroyed))
})

void t.test('atomic batches whose clients stay give their connections back in time', async (t) => {
  const [app] = await start(t, { timeout: 0.5 })
  sendAll(app, '/Notes/wait')
  t.strictSame(await countOf(app), { count: 0 })
  const payload = { atomic: true, requests: [{ method: 'GET', url: '/Notes/wait' }] }
  const answer = await app.inject({ method: 'POST', url: '/api/batch', payload })
  t.equal(answer.json<{ error: { code: string } }>().error.code, 'TRANSACTION_TIMEOUT')
})

void t.test('a stream does not hold a connection, however its URL is written', async (t) => {
  const [app] = await start(t, { timeout: 3600 })
  const answers: number[] = []
  app.server.on('request', (_req, res: ServerResponse) => res.on('finish', () => answers.push(res.statusCode)))
  sendAll(app, '/Notes/..\\Notes\\change-stream')
  await until(() => answers.length === connections, 'all batches to be answered')
  t.strictSame(new Set(answers), new Set([400]))
  t.strictSame(await countOf(app), { count: 0 })
})
