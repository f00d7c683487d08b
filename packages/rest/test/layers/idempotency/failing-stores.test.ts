import { memory } from '@modelwire/connector-memory'
import { makeMemoryStore } from '@modelwire/connector-tests'
import { type CoreOptions, modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

interface Wanted {
  /** Runs once the record is stored, before the request is answered. */
  readonly afterSave: (app: FastifyInstance) => void
  readonly sharedState?: Exclude<CoreOptions['sharedState'], undefined>
}

async function start(t: Test, { afterSave, ...options }: Wanted) {
  const logged: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: (text: string) => logged.push(text) } } })
  t.teardown(() => app.close())
  const models = [{ name: 'Note', public: true, dataSource: 'db', properties: { text: 'string' } }]
  await app.register(modelwire, { dataSources: { db: memory(), keys: memory() }, models, ...options })
  app.models.get('Note').observe('after save', () => afterSave(app))
  await app.register(rest, { prefix: '/api', idempotency: { dataSource: 'keys' }, batch: true })
  const send = async (url: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api${url}`, headers: { 'idempotency-key': 'k' }, payload })
  return { app, send, logged }
}

const note = { text: 'x' }
const requests = [
  ['/Notes', note],
  ['/batch', { requests: [{ method: 'POST', url: '/Notes', body: note }] }]
] as const

const away = () => Promise.reject(new Error('the table is away'))

for (const [url, payload] of requests) {
  void t.test(`${url}: a shared state that fails after the change does not take the place of the answer`, async (t) => {
    const { store, state } = makeMemoryStore()
    const { app, send, logged } = await start(t, { sharedState: store, afterSave: () => (state.fails = true) })
    const answer = await send(url, payload)
    t.equal(answer.statusCode, 200)
    t.match(answer.body, '"text":"x"')
    t.match(logged.join(), 'answer of an idempotency key')
    t.equal(await app.models.get('Note').count(), 1)
    t.equal((await send(url, payload)).statusCode, 503, 'before the change it does')
    t.equal(await app.models.get('Note').count(), 1)
  })

  void t.test(`${url}: nor do keys in another data source`, async (t) => {
    const afterSave = ({ models }: FastifyInstance) => Object.assign(models.get('IdempotencyKey'), { updateAll: away })
    const { app, send, logged } = await start(t, { afterSave })
    t.equal((await send(url, payload)).statusCode, 200)
    t.match(logged.join(), 'the table is away')
    t.equal((await send(url, payload)).statusCode, 409, 'the key is taken')
    t.equal(await app.models.get('Note').count(), 1)
  })
}
