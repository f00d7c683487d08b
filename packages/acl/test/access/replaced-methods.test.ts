import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from '../rows/bank.ts'

type Method = (this: unknown, ...values: unknown[]) => unknown

/** Methods of things that the application replaces: each forgets who calls. */
async function serve(t: Test): Promise<FastifyInstance> {
  const ofFirst = rule('$everyone', 'ALLOW', {
    accessType: 'EXECUTE',
    rows: () => ({ tier: 1 }),
    fields: { write: { except: ['label'] } }
  })
  const models: ModelDefinition[] = [
    {
      name: 'Thing',
      plural: 'things',
      forceId: false,
      properties: { tier: 'number', label: 'string' },
      relations: { lock: { type: 'belongsTo', model: 'Lock' } },
      acls: [deny, ofFirst]
    },
    { name: 'Lock', acls: [deny] }
  ]
  const prepare = (app: FastifyInstance): void => {
    const Thing = app.models.get('Thing')
    for (const name of ['find', 'count', 'updateAll', 'create', 'patchOrCreate'] as const) {
      const own = Thing[name] as Method // all of them are functions of a model
      const replaced: Method = function (...values) {
        return own.apply(this, values.slice(0, -1))
      }
      Object.defineProperty(Thing, name, { value: replaced })
    }
  }
  const app = await makeApp(t, models, {}, { prepare })
  const { collection } = app.models.typeOf('Thing')
  await collection?.insert([
    { tier: 1, label: 'a' },
    { tier: 2, label: 'b' }
  ])
  return app
}

const stored = async (app: FastifyInstance): Promise<unknown> =>
  ((await app.models.typeOf('Thing').collection?.find({ order: [], skip: 0 })) ?? []).map(({ label, tier }) => [
    label,
    tier
  ])

void t.test('a function in place of a method is handed what a client may ask for, and no more', async (t) => {
  const app = await serve(t)
  t.match(await send(app, 'GET /things'), { status: 200, body: [{ label: 'a' }] })
  t.equal(((await send(app, 'GET /things')).body as object[]).length, 1)
  t.match((await send(app, 'GET /things?filter={"where":{"label":"b"}}')).body, [])
  t.strictSame((await send(app, 'GET /things/count')).body, { count: 1 })
  t.match(await send(app, 'GET /things?filter={"include":"lock"}'), { body: { error: { code: 'INCLUDE_DENIED' } } })
})

void t.test('a function in place of a method is handed what a client may set, and no more', async (t) => {
  const app = await serve(t)
  const denied = { status: 401, body: { error: { code: 'PROPERTY_DENIED' } } }
  t.match(await send(app, 'POST /things', { tier: 1, label: 'n' }), denied)
  t.match(await send(app, 'POST /things', { tier: 2 }), { status: 401 })
  t.match(await send(app, 'POST /things', [{ tier: 1 }, { tier: 2 }]), { status: 401 })
  t.match(await send(app, 'PATCH /things', { id: 1, label: 'n' }), denied)
  t.match(await send(app, 'PATCH /things', { id: 1, tier: 2 }), { status: 401 })
  t.match(await send(app, 'POST /things/update', { label: 'n' }), denied)
  t.strictSame(await stored(app), [
    ['a', 1],
    ['b', 2]
  ])
  t.strictSame((await send(app, 'POST /things/update', { tier: 1 })).body, { count: 1 })
  t.strictSame(await stored(app), [
    ['a', 1],
    ['b', 2]
  ])
})

void t.test(
  'what a function answers that asks for more than it was handed is cut to what the client may see',
  async (t) => {
    const app = await makeApp(
      t,
      [
        {
          name: 'Thing',
          plural: 'things',
          properties: { tier: 'number' },
          acls: [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows: () => ({ tier: 1 }) })]
        }
      ],
      {},
      {
        prepare: ({ models }) => {
          const Thing = models.get('Thing')
          const all = Thing.find.bind(Thing)
          Object.defineProperty(Thing, 'find', { value: () => all({}) })
          Object.defineProperty(Thing, 'findOne', { value: async () => (await all({ order: 'id DESC' }))[0] })
        }
      }
    )
    await app.models.typeOf('Thing').collection?.insert([{ tier: 1 }, { tier: 2 }])
    t.strictSame((await send(app, 'GET /things')).body, [{ id: 1, tier: 1 }])
    t.match(await send(app, 'GET /things/findOne'), {
      status: 401,
      body: { error: { code: 'AUTHORIZATION_REQUIRED' } }
    })
  }
)

void t.test('a function that hands its options on reads other models for the client as well', async (t) => {
  const models: ModelDefinition[] = [
    { name: 'Thing', plural: 'things', properties: { tier: 'number' } },
    {
      name: 'Other',
      properties: { tier: 'number' },
      acls: [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', rows: () => ({ tier: 1 }) })]
    },
    { name: 'Lock', acls: [deny] }
  ]
  const prepare = (app: FastifyInstance): void => {
    const [Thing, Other, Lock] = ['Thing', 'Other', 'Lock'].map((name) => app.models.get(name))
    const find: Method = (_filter, options) => Other?.find({}, options as object) // the last argument
    const count: Method = (_where, options) => Lock?.count({}, options as object) // as above
    Object.defineProperty(Thing, 'find', { value: find })
    Object.defineProperty(Thing, 'count', { value: count })
  }
  const app = await makeApp(t, models, {}, { prepare })
  await app.models.typeOf('Other').collection?.insert([{ tier: 1 }, { tier: 2 }])
  t.strictSame((await send(app, 'GET /things')).body, [{ id: 1, tier: 1 }])
  t.equal((await send(app, 'GET /things/count')).status, 401)
})
