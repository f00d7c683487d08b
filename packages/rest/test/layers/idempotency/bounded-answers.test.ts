import { memory } from '@modelwire/connector-memory'
import { makeMemoryStore } from '@modelwire/connector-tests'
import { modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const { store } = makeMemoryStore()
/** Where keys are: in a model, or in a shared state that keeps facts. */
const stores = { model: {}, facts: { sharedState: store } }

type Options = Exclude<RestOptions['idempotency'], undefined>

async function start(t: Test, idempotency: Options, more: object = {}): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, trustProxy: true })
  t.teardown(() => app.close())
  const models = [{ name: 'Note', public: true, properties: { text: 'string' } }]
  await app.register(modelwire, { dataSources: { db: memory() }, models, ...more })
  app.addHook('preParsing', async (request) => {
    const { caller } = request.headers
    if (typeof caller === 'string') request.principal = { userId: caller }
  })
  await app.register(rest, { prefix: '/api', idempotency, batch: true })
  return app
}

async function send(app: FastifyInstance, key: string, payload: object, url = '/Notes', headers = {}) {
  const all = { 'idempotency-key': key, ...headers }
  const answer = await app.inject({ method: 'POST', url: `/api${url}`, headers: all, payload })
  return { status: answer.statusCode, body: answer.body, headers: answer.headers }
}

const countOf = (app: FastifyInstance): Promise<number> => app.models.get('Note').count()
const notKept = { status: 409, body: /"code":"IDEMPOTENCY_ANSWER_NOT_KEPT".*"details":\{"status":200\}/ }

for (const [name, more] of Object.entries(stores))
  void t.test(`of a long answer the status is kept alone: keys in ${name}`, async (t) => {
    const app = await start(t, { bytes: 200 }, more)
    const long = { text: `${name} ${'x'.repeat(200)}` }
    t.match(await send(app, `${name} long`.replace(' ', '-'), long), { status: 200 })
    t.match(await send(app, `${name}-long`, long), notKept)
    t.equal(await countOf(app), 1, 'it was carried out once')
    const short = await send(app, `${name}-short`, { text: 'x' })
    t.equal((await send(app, `${name}-short`, { text: 'x' })).body, short.body)
  })

void t.test('what is kept for a caller has a bound, in all processes of a shared state', async (t) => {
  const shared = { sharedState: makeMemoryStore().store }
  const options = { callerBytes: 400 }
  const [one, other] = [await start(t, options, shared), await start(t, options, shared)]
  const text = 'x'.repeat(150)
  const ofAnn = { caller: 'ann' }
  await send(one, 'a', { text }, '/Notes', ofAnn)
  await send(other, 'b', { text }, '/Notes', ofAnn)
  t.match(await send(one, 'a', { text }, '/Notes', ofAnn), { status: 200, headers: { 'idempotency-replayed': 'true' } })
  t.match(await send(one, 'b', { text }, '/Notes', ofAnn), notKept)
  await send(one, 'a', { text }, '/Notes', { caller: 'bob' })
  t.match(await send(one, 'a', { text }, '/Notes', { caller: 'bob' }), { status: 200 }, 'others have their own')
})

void t.test('a caller has so many keys; callers without a token have them by network', async (t) => {
  const app = await start(t, { callerKeys: 2, keep: 60 })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  for (const key of ['a', 'b', 'a'])
    t.equal((await send(app, key, { text: key }, '/Notes', from('2001:db8:1:1::1'))).status, 200)
  const refused = await send(app, 'c', { text: 'c' }, '/Notes', from('2001:db8:1:1::2'))
  t.match(refused, { status: 429, body: /TOO_MANY_IDEMPOTENCY_KEYS/, headers: { 'retry-after': /^\d+$/ } })
  t.equal(await countOf(app), 2, 'it was not carried out')
  t.equal(await app.models.get('IdempotencyKey').count(), 2)
  t.equal((await send(app, 'd', { text: 'd' }, '/Notes', from('2001:db8:1:2::1'))).status, 200)
  t.equal((await send(app, 'c', { text: 'c' }, '/Notes', { caller: 'ann' })).status, 200)
})

void t.test('what only reads takes no key', async (t) => {
  const app = await start(t, true)
  const read = { method: 'GET', url: '/Notes' }
  t.equal((await send(app, 'a', { requests: [read, read] }, '/batch')).status, 200)
  t.equal(await app.models.get('IdempotencyKey').count(), 0)
  await app.inject({ method: 'GET', url: '/api/Notes', headers: { 'idempotency-key': 'a' } })
  t.equal(await app.models.get('IdempotencyKey').count(), 0)
  await send(app, 'a', { requests: [read, { method: 'POST', url: '/Notes', body: { text: 'x' } }] }, '/batch')
  t.equal(await app.models.get('IdempotencyKey').count(), 1)
  t.match(await send(app, 'b', { requests: 7 }, '/batch'), { status: 400, body: /INVALID_BATCH/ })
})
