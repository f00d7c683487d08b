import { memory } from '@modelwire/connector-memory'
import { makeMemoryStore } from '@modelwire/connector-tests'
import { defineModel, defineInstanceOperation, defineOperation, modelwire } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const secret = 'shown-once'
const note = defineModel('Note', Type.Object({ text: Type.String() }), { public: true })
const token = defineModel('Token', Type.Object({ value: Type.String() }), { public: true, holdsSecrets: true })

/** A method of a script that declares nothing, and one that declares its answer. */
const methods = {
  giveToken: { returns: { arg: 'token', type: 'object' }, http: { verb: 'post' } },
  giveText: { returns: { arg: 'text', type: 'string' }, http: { verb: 'post' }, returnsSecret: true }
}

async function start(t: Test, more: object = {}): Promise<FastifyInstance> {
  const app = Fastify({ logger: false })
  t.teardown(() => app.close())
  const models = [note, token, { name: 'Script', public: true, base: 'Model', methods }]
  await app.register(modelwire, { dataSources: { db: memory({ transactions: true }) }, models, ...more })
  const { models: registry } = app
  Object.assign(registry.get('Script'), {
    giveToken: () => registry.get('Token').create({ value: secret }),
    giveText: () => secret
  })
  const returns = Type.Object({ value: Type.String() })
  defineOperation(registry.get('Note'), {
    name: 'newKey',
    returns,
    accepts: { refuse: Type.Optional(Type.Boolean()) },
    returnsSecret: true,
    handler: ({ refuse }) => {
      if (refuse === true) throw Object.assign(new Error('refused'), { statusCode: 422 })
      return { value: secret }
    }
  })
  defineInstanceOperation(registry.get('Token'), { name: 'rotate', returns, handler: () => ({ value: secret }) })
  defineInstanceOperation(registry.get('Token'), {
    name: 'test',
    returns,
    returnsSecret: false,
    handler: () => ({ value: 'none' })
  })
  await registry.get('Token').create({ value: secret })
  await app.register(rest, { prefix: '/api', idempotency: true, batch: true })
  return app
}

async function send(app: FastifyInstance, url: string, payload: object = {}) {
  const headers = { 'idempotency-key': 'k' }
  const answer = await app.inject({ method: 'POST', url: `/api${url}`, headers, payload })
  return { status: answer.statusCode, body: answer.body }
}

const notKept = { status: 409, body: /IDEMPOTENCY_ANSWER_NOT_KEPT/ }
const inBatch = (url: string) => ({ requests: [{ method: 'POST', url, body: {} }] })

const places = ['/Notes/newKey', '/Tokens', '/Tokens/1/rotate', '/Scripts/giveToken', '/Scripts/giveText']
const requests = [
  ...places.map((url) => [url, url === '/Tokens' ? { value: secret } : {}] as const),
  ...places.filter((url) => url !== '/Tokens').map((url) => ['/batch', inBatch(url)] as const),
  ['/batch', { atomic: true, ...inBatch('/Notes/newKey') }] as const,
  ['/Tokens/bulk', { create: [{ value: secret }] }] as const
]

for (const [url, payload] of requests)
  void t.test(`an answer with a secret is not kept: ${url} ${JSON.stringify(payload)}`, async (t) => {
    const app = await start(t)
    const first = await send(app, url, payload)
    t.match(first, { status: 200, body: secret })
    t.match(await send(app, url, payload), notKept)
    const [kept] = await app.models.get('IdempotencyKey').find()
    t.match(kept, { status: 200 })
    t.notMatch(JSON.stringify(kept), secret)
  })

void t.test('nor is it in a shared state', async (t) => {
  const { store } = makeMemoryStore()
  const written: unknown[] = []
  const swap: typeof store.swap = async (...args) => {
    written.push(args)
    return store.swap(...args)
  }
  const app = await start(t, { sharedState: { ...store, swap } })
  t.match(await send(app, '/Notes/newKey'), { status: 200 })
  t.match(await send(app, '/Notes/newKey'), notKept)
  t.notMatch(JSON.stringify(written), secret)
})

void t.test('refusals, and answers that are declared to hold no secret, are kept', async (t) => {
  const app = await start(t)
  const refused = await send(app, '/Notes/newKey', { refuse: true })
  t.equal(refused.status, 422)
  t.strictSame(await send(app, '/Notes/newKey', { refuse: true }), refused)
  const other = await start(t)
  const tested = await send(other, '/Tokens/1/test')
  t.strictSame(await send(other, '/Tokens/1/test'), tested)
})

void t.test('the body of a request cannot be guessed from what is kept', async (t) => {
  const [one, other] = [await start(t), await start(t)]
  await send(one, '/Notes', { text: 'password' })
  await other.inject({
    method: 'POST',
    url: '/api/Notes',
    headers: { 'idempotency-key': 'l' },
    payload: { text: 'password' }
  })
  const [first] = await one.models.get('IdempotencyKey').find()
  const [second] = await other.models.get('IdempotencyKey').find()
  t.not(first?.['fingerprint'], second?.['fingerprint'])
})
