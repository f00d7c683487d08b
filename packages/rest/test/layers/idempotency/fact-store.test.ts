import { memory } from '@modelwire/connector-memory'
import { makeMemoryStore } from '@modelwire/connector-tests'
import { ModelRegistry, modelwire } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import Fastify from 'fastify'
import t from 'tap'
import { createFactStore } from '#src/layers/idempotency/key-store.ts'
import { rest } from '#src/index.ts'

t.test('keys are in the shared state where that keeps facts', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ name: 'Note', public: true, properties: { text: 'string' } }]
  await app.register(modelwire, { dataSources: { db: memory() }, models, sharedState: makeMemoryStore().store })
  await app.register(rest, { prefix: '/api', idempotency: true })
  const send = async (text: string, key = 'one') =>
    app.inject({ method: 'POST', url: '/api/Notes', headers: { 'idempotency-key': key }, payload: { text } })
  const first = await send('a')
  t.equal(first.statusCode, 200)
  const again = await send('a')
  t.equal(again.body, first.body)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal((await send('b')).statusCode, 422)
  t.equal(await app.models.get('Note').count(), 1)
  t.equal(app.models.find('IdempotencyKey'), undefined)
})

t.test('a key is taken once, given back, or taken for broken off', async (t) => {
  const { shared: state } = new ModelRegistry()
  state.use(makeMemoryStore().store)
  if (state.facts === undefined) throw new TypeError('the store keeps facts')
  const store = createFactStore(state.facts, { keep: 60, lock: 60 })
  t.equal(await store.claim('a', 'print'), undefined)
  await t.rejects(store.claim('a', 'print'), { code: 'IDEMPOTENCY_KEY_IN_USE' })
  await t.rejects(store.claim('a', 'other'), { code: 'IDEMPOTENCY_KEY_REUSED' })
  await store.release('a')
  t.equal(await store.claim('a', 'other'), undefined)
  await store.keep('a', { status: 201, headers: { etag: 'x' }, body: '{}' })
  t.match(await store.claim('a', 'other'), { status: 201, headers: { etag: 'x' }, body: '{}' })
  await store.keep('gone', { status: 200 })
  const late = createFactStore(state.facts, { keep: 60, lock: 0.02 })
  t.equal(await late.claim('b', 'print'), undefined)
  const taken = async (): Promise<boolean> => (await late.claim('b', 'print').catch(() => 'in use')) === undefined
  await until(taken, 'the request to be taken for broken off')
})
