import type { ModelClass, ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from '../rows/bank.ts'

const all = { accessType: 'EXECUTE' }
const id = { type: 'number', id: true, generated: false } as const

/** What code does with things for a client. */
type Work = (things: ModelClass, options: object) => unknown

/** Works that code does for a client of things of the first tier, whose label it may neither read nor set. */
const works: Readonly<Record<string, readonly [work: Work, code: unknown]>> = {
  'reads a hidden record': [(things, options) => things.findById(2, undefined, options), 'AUTHORIZATION_REQUIRED'],
  'reads a missing record': [(things, options) => things.findById(9, undefined, options), 'AUTHORIZATION_REQUIRED'],
  'reads by an id of another type': [(things, options) => things.findById('x', {}, options), 'AUTHORIZATION_REQUIRED'],
  'asks for a hidden record': [(things, options) => things.exists(2, options), 'AUTHORIZATION_REQUIRED'],
  'deletes a hidden record': [(things, options) => things.destroyById(2, options), 'AUTHORIZATION_REQUIRED'],
  'deletes a missing record': [(things, options) => things.destroyById(9, options), 'AUTHORIZATION_REQUIRED'],
  'deletes by an id of another type': [(things, options) => things.destroyById('x', options), 'AUTHORIZATION_REQUIRED'],
  'deletes by a property': [(things, options) => things.destroyAll({ label: 'b' }, options), 'PROPERTY_DENIED'],
  'replaces a hidden record': [
    (things, options) => things.replaceOrCreate({ id: 2, tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'makes a record with an id': [
    (things, options) => things.replaceOrCreate({ id: 9, tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'updates a hidden record': [
    (things, options) => things.patchOrCreate({ id: 2, tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'updates a missing record': [
    (things, options) => things.patchOrCreate({ id: 9, tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'changes a hidden record at hand': [
    async (things, options) => (await things.findById(2, undefined, {}))?.updateAttributes({ tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'replaces a missing record by its id': [
    (things, options) => things.replaceById(9, { tier: 1 }, options),
    'AUTHORIZATION_REQUIRED'
  ],
  'replaces another tier': [(things, options) => things.replaceById(1, { tier: 2 }, options), 'AUTHORIZATION_REQUIRED'],
  'sets a label': [(things, options) => things.updateAll({}, { label: 'n' }, options), 'PROPERTY_DENIED'],
  'replaces its own': [(things, options) => things.replaceOrCreate({ id: 1, tier: 1 }, options), undefined],
  'deletes all': [(things, options) => things.destroyAll({}, options), undefined]
}

async function serve(t: Test, work: Work): Promise<FastifyInstance> {
  const label = { read: { except: ['label'] }, write: { except: ['label'] } }
  const models: ModelDefinition[] = [
    { name: 'Desk', plural: 'desks', properties: { tier: 'number' } },
    {
      name: 'Thing',
      plural: 'things',
      forceId: false,
      properties: { id, tier: 'number', label: 'string' },
      acls: [deny, rule('$everyone', 'ALLOW', { ...all, rows: () => ({ tier: 1 }), fields: label })]
    }
  ]
  const prepare = (app: FastifyInstance): void => {
    const find = async (_filter: unknown, options: object) => {
      await work(app.models.get('Thing'), options)
      return []
    }
    Object.defineProperty(app.models.get('Desk'), 'find', { value: find })
  }
  const app = await makeApp(t, models, {}, { prepare })
  const { collection } = app.models.typeOf('Thing')
  await collection?.insert([
    { id: 1, tier: 1, label: 'a' },
    { id: 2, tier: 2, label: 'b' }
  ])
  return app
}

for (const [name, [work, code]] of Object.entries(works))
  void t.test(`code that ${name} for a client has the rights of the client`, async (t) => {
    const app = await serve(t, work)
    for (const turn of [1, 2]) {
      const { body } = await send(app, 'GET /desks')
      t.equal((body as { error?: { code?: unknown } }).error?.code, code, `call ${turn}`)
    }
    t.match((await app.models.get('Thing').findById(2))?.toJSON(), { id: 2, tier: 2, label: 'b' })
    t.equal(await app.models.get('Thing').findById(9), null)
  })

void t.test('observers of queries change nothing of what a rule leaves out', async (t) => {
  const models: ModelDefinition[] = [
    {
      name: 'Shelf',
      plural: 'shelves',
      relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } }
    },
    {
      name: 'Thing',
      plural: 'things',
      properties: { tier: 'number', label: 'string', shelfId: 'number' },
      acls: [
        deny,
        rule('$everyone', 'ALLOW', { ...all, rows: () => ({ tier: 1 }), fields: { read: { except: ['label'] } } })
      ]
    }
  ]
  const app = await makeApp(t, models)
  app.models.get('Thing').observe('access', async (context) => {
    Object.assign(context.query ?? {}, { where: { shelfId: 1 } })
  })
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create([1, 2].map((tier) => ({ tier, label: 'a', shelfId: 1 })))
  t.strictSame((await send(app, 'GET /shelves/1/things')).body, [{ id: 1, tier: 1, shelfId: 1 }])
  t.strictSame((await send(app, 'GET /shelves/1/things/count')).body, { count: 1 })
  t.match((await send(app, 'GET /shelves?filter={"include":"things"}')).body, [{ things: [{ id: 1 }] }])
  t.strictSame((await send(app, 'GET /things/count')).body, { count: 1 })
  const asked = [
    '/shelves/1/things?filter={"where":{"label":"a"}}',
    '/shelves/1/things/count?where={"label":"a"}',
    '/things?filter={"where":{"label":"a"}}',
    '/things/count?where={"label":"a"}'
  ]
  for (const url of asked) t.match(await send(app, `GET ${url}`), { body: { error: { code: 'PROPERTY_DENIED' } } }, url)
})

void t.test('an include that is refused is so where there is nothing to include in', async (t) => {
  const things = { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } as const
  const app = await makeApp(t, [
    { name: 'Shelf', plural: 'shelves', relations: { things } },
    { name: 'Thing', acls: [deny] }
  ])
  t.match(await send(app, 'GET /shelves?filter={"include":"things"}'), { body: { error: { code: 'INCLUDE_DENIED' } } })
})

void t.test('the answer to a change shows what its caller may read', async (t) => {
  const acls = [
    deny,
    rule('$everyone', 'ALLOW', { property: ['patchAttributes', 'replaceOrCreate', 'create'] }),
    rule('$everyone', 'ALLOW', { property: 'findById', fields: { read: { except: ['label'] } } })
  ]
  const properties = { id, tier: 'number', label: 'string' } as const
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', forceId: false, properties, acls }])
  await app.models.get('Thing').create({ id: 1, tier: 1, label: 'a' })
  t.strictSame((await send(app, 'PATCH /things/1', { tier: 2 })).body, { id: 1, tier: 2 })
  t.strictSame((await send(app, 'PUT /things', { id: 1, tier: 3 })).body, { id: 1, tier: 3 })
})

void t.test('a whole record may leave out what its caller may not set', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { ...all, fields: { write: { except: ['label'] } } })]
  const properties = { id, tier: 'number', label: 'string' } as const
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', forceId: false, properties, acls }])
  await app.models.typeOf('Thing').collection?.insert([{ id: 1, tier: 1, label: 'a' }])
  const set = await send(app, 'POST /things/replaceOrCreate', { id: 1, tier: 2, label: 'b' })
  t.match(set, { body: { error: { code: 'PROPERTY_DENIED' } } })
  for (const one of [1, 2])
    t.match(await send(app, 'PATCH /things', { id: one, label: 'b' }), { body: { error: { code: 'PROPERTY_DENIED' } } })
  t.match(await send(app, 'POST /things/replaceOrCreate', { id: 1, tier: 2 }), {
    status: 200,
    body: { tier: 2, label: 'a' }
  })
})

void t.test('changes by a condition are kept to what their caller may see, and leave behind', async (t) => {
  const fields = { read: { except: ['label'] } }
  const acls = [deny, rule('$everyone', 'ALLOW', { ...all, rows: () => ({ tier: 1 }), fields })]
  const properties = { id, tier: 'number', label: 'string' } as const
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', forceId: false, properties, acls }])
  const { collection } = app.models.typeOf('Thing')
  await collection?.insert([1, 2].map((tier) => ({ id: tier, tier, label: 'a' })))
  const denied = { body: { error: { code: 'PROPERTY_DENIED' } } }
  t.match(await send(app, 'POST /things/update?where={"label":"a"}', { tier: 1 }), denied)
  t.match(await send(app, 'POST /things/upsertWithWhere?where={"label":"a"}', { id: 3, tier: 1 }), denied)
  const upsert = (where: string, data: object) => send(app, `POST /things/upsertWithWhere?where=${where}`, data)
  t.equal((await upsert('{"id":2}', { id: 3, tier: 2 })).status, 401, 'the new record would be another one to see')
  t.match(
    await upsert('{"id":2}', { id: 3, tier: 1 }),
    { status: 200, body: { id: 3 } },
    'a hidden record does not match'
  )
  t.match(await upsert('{"id":3}', { tier: 1 }), { status: 200, body: { id: 3 } })
  app.models.get('Thing').observe('persist', async () => void (await collection?.update(undefined, { tier: 2 })))
  t.equal((await upsert('{"id":3}', { tier: 1 })).status, 401, 'it is hidden by the time that it is written')
})
