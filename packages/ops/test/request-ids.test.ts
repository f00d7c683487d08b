import { modelwire } from '@modelwire/core'
import { memory } from '@modelwire/connector-memory'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ops, type OpsOptions } from '#src/index.ts'
import { collectLines } from './log-lines.ts'

/** A server that logs into a list. */
async function makeLogged(
  t: Test,
  requestIds: OpsOptions['requestIds']
): Promise<{ app: FastifyInstance; lines: readonly string[] }> {
  const { stream, lines } = collectLines()
  const app = Fastify({ logger: { level: 'info', stream } })
  t.teardown(async () => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Note', public: true, properties: { text: 'string' } }]
  })
  await app.register(ops, requestIds === undefined ? {} : { requestIds })
  await app.register(rest, { prefix: '/api' })
  return { app, lines }
}

const idsIn = (lines: readonly string[]): Set<unknown> =>
  new Set(lines.map((line) => (JSON.parse(line) as { reqId?: unknown }).reqId).filter((id) => id !== undefined))

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

void t.test('a request has an id of its own, in the answer and in every line of the log', async (t) => {
  const { app, lines } = await makeLogged(t, {})
  const given = { 'x-request-id': 'from-a-client' }
  const { headers } = await app.inject({ url: '/api/Notes/9', headers: given })
  t.match(headers['x-request-id'], uuid)
  t.strictSame(idsIn(lines), new Set([headers['x-request-id']]))
  t.ok(lines.length >= 3, 'arrival, refusal, end')
  const other = await app.inject('/nothing')
  t.match(other.headers['x-request-id'], uuid)
  t.not(other.headers['x-request-id'], headers['x-request-id'])
})

void t.test('an id from in front is taken over where that is switched on, if it is safe to log', async (t) => {
  const { app, lines } = await makeLogged(t, { accept: true, header: 'X-Correlation-ID' })
  const idFor = async (id: string | undefined): Promise<unknown> => {
    const headers = id === undefined ? {} : { 'x-correlation-id': id }
    return (await app.inject({ url: '/api/Notes', headers })).headers['x-correlation-id']
  }
  t.equal(await idFor('8f1c:web-7/42'), '8f1c:web-7/42')
  t.ok(idsIn(lines).has('8f1c:web-7/42'))
  for (const wrong of [undefined, '', 'two words', '"quoted"', '<b>', 'é', 'x'.repeat(129)])
    t.match(await idFor(wrong), uuid, String(wrong))
})

void t.test('bodies of errors have no id, and without the option there is no header', async (t) => {
  const plain = (await makeLogged(t, undefined)).app
  const named = (await makeLogged(t, {})).app
  const [without, withId] = await Promise.all([plain.inject('/api/Notes/9'), named.inject('/api/Notes/9')])
  t.equal(without.headers['x-request-id'], undefined)
  t.equal(withId.payload, without.payload)
})
