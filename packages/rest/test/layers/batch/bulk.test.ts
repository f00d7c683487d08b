import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const note = defineModel('Note', Type.Object({ text: Type.String({ minLength: 2 }) }), { public: true })

async function start(t: Test, more: object = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory({ transactions: true }) },
    models: [
      { ...note, ...more },
      { name: 'Code', public: true, properties: { code: { type: 'string', id: true }, text: 'string' } }
    ]
  })
  await app.register(rest, { prefix: '/api', batch: { limit: 10 } })
  await app.models.get('Note').create([{ text: 'one' }, { text: 'two' }])
  return app
}

type Answers = Record<
  string,
  readonly { status: number; body?: { id?: number; text?: string; error?: { code?: string } } }[]
>

async function send(app: FastifyInstance, payload: object, path = 'Notes', headers = {}) {
  const answer = await app.inject({ method: 'POST', url: `/api/${path}/bulk`, payload, headers })
  return { status: answer.statusCode, body: answer.json<Answers>() }
}

const textsOf = async (app: FastifyInstance) =>
  (await app.models.get('Note').find({ order: 'id' })).map((each) => each['text'])

void t.test('creates, changes and deletes many, each with its own result', async (t) => {
  const app = await start(t)
  const { status, body } = await send(app, {
    create: [{ text: 'three' }, { text: 'x' }],
    update: [
      { id: 1, text: 'ONE' },
      { id: 9, text: 'none' }
    ],
    upsert: [{ id: 3, text: 'THREE' }, { text: 'four' }],
    delete: [2, 77]
  })
  t.equal(status, 200)
  const outcome = Object.fromEntries(
    Object.entries(body).map(([verb, list]) => [verb, list.map((each) => each.body?.error?.code ?? each.status)])
  )
  t.strictSame(outcome, {
    create: [200, 'VALIDATION_FAILED'],
    update: [200, 'MODEL_NOT_FOUND'],
    upsert: [200, 200],
    delete: [200, 200]
  })
  t.strictSame(await textsOf(app), ['ONE', 'THREE', 'four'])
})

void t.test('all or none', async (t) => {
  const app = await start(t)
  const failed = await send(app, {
    atomic: true,
    create: [{ text: 'three' }],
    delete: [1],
    update: [{ id: 9, text: 'no' }]
  })
  t.match(failed, {
    status: 422,
    body: { error: { code: 'BATCH_ROLLED_BACK', details: { id: 'update.0', status: 404 } } }
  })
  t.strictSame(await textsOf(app), ['one', 'two'])
  t.equal((await send(app, { atomic: true, create: [{ text: 'three' }], delete: [1] })).status, 200)
  t.strictSame(await textsOf(app), ['two', 'three'])
})

void t.test('ids of any name and with any signs', async (t) => {
  const app = await start(t)
  await send(
    app,
    {
      create: [
        { code: 'a/b', text: 'x' },
        { code: 'ä?', text: 'x' }
      ]
    },
    'Codes'
  )
  const { body } = await send(app, { update: [{ code: 'a/b', text: 'y' }], delete: ['ä?'] }, 'Codes')
  t.match(body, { update: [{ status: 200, body: { code: 'a/b', text: 'y' } }], delete: [{ status: 200 }] })
  t.equal(await app.models.get('Code').count(), 1)
})

void t.test('Prefer counts for each record', async (t) => {
  const app = await start(t)
  const { body } = await send(app, { create: [{ text: 'three' }] }, 'Notes', { prefer: 'return=minimal' })
  t.equal(body['create']?.[0]?.body, undefined)
})

void t.test('refuses what it cannot read', async (t) => {
  const app = await start(t)
  const eleven = Array.from({ length: 11 }, () => ({ text: 'more' }))
  const malformed: object[] = [
    {},
    { create: [] },
    { create: eleven },
    { create: eleven.slice(5), upsert: eleven.slice(5) },
    { update: [{ text: 'no id' }] },
    { create: ['text'] },
    { delete: [null] },
    { remove: [1] }
  ]
  for (const body of malformed)
    t.match(await send(app, body), { status: 400, body: { error: { code: 'INVALID_BATCH' } } }, JSON.stringify(body))
  t.strictSame(await textsOf(app), ['one', 'two'])
})

void t.test('what a model does not share is not done to many either', async (t) => {
  const app = await start(t, { remoting: { sharedMethods: { '*': false, find: true, create: true } } })
  t.match(await send(app, { delete: [1] }), { status: 400, body: { error: { code: 'INVALID_BATCH' } } })
  t.match(await send(app, { create: [{ text: 'three' }] }), { status: 200 })
  t.strictSame(await textsOf(app), ['one', 'two', 'three'])
})

void t.test('a model without routes that write has none for many', async (t) => {
  const app = await start(t, { remoting: { sharedMethods: { '*': false, find: true } } })
  t.equal((await send(app, { create: [{ text: 'three' }] })).status, 404)
})
