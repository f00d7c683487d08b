import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { AclOptions } from '#src/index.ts'
import { deny, makeApp, rule } from '../make-app.ts'
import { shelfModels } from '../shelves.ts'

/** A shelf with a thing of user 1 and one of user 2. */
async function makeShelf(t: Test, acls: object[], options: AclOptions = {}): Promise<FastifyInstance> {
  const models = shelfModels({ properties: { label: 'string', userId: 'number' }, acls })
  const app = await makeApp(t, models, options)
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create([1, 2].map((userId) => ({ label: `of ${userId}`, userId, shelfId: 1 })))
  await app.models.get('Note').create({ thingId: 1 })
  return app
}

const ask = async (app: FastifyInstance, line: string, user?: number): Promise<number> => {
  const [method = 'GET', url = ''] = line.split(' ')
  const headers = user === undefined ? {} : { user: String(user) }
  const body = method === 'POST' || method === 'PUT' ? { payload: { label: 'new' } } : {}
  const request: InjectOptions = { method: method as 'GET', url: `/api${url}`, headers, ...body } // a verb
  return (await app.inject(request)).statusCode
}

const routes = [
  'GET /shelves/1/things',
  'GET /shelves/1/things/count',
  'GET /shelves/1/things/1',
  'PUT /shelves/1/things/1',
  'POST /shelves/1/things',
  'DELETE /shelves/1/things/1',
  'DELETE /shelves/1/things',
  'GET /notes/1/thing'
]

for (const route of routes) {
  void t.test(`${route} obeys the rules of the related model`, async (t) => {
    t.equal(await ask(await makeShelf(t, [deny]), route), 401)
    t.ok((await ask(await makeShelf(t, [deny], { nested: 'parent' }), route)) < 300, 'or not, as in LoopBack')
    t.ok((await ask(await makeShelf(t, []), route)) < 300)
  })
}

for (const route of [
  'GET /shelves/1/things/1',
  'PUT /shelves/1/things/1',
  'GET /notes/1/thing',
  'DELETE /shelves/1/things/1'
]) {
  void t.test(`${route} is for the owner of the related record`, async (t) => {
    const app = await makeShelf(t, [deny, rule('$owner', 'ALLOW')])
    t.strictSame([await ask(app, route), await ask(app, route, 2)], [401, 401])
    t.ok((await ask(app, route, 1)) < 300)
  })
}

void t.test('a nested list holds the own records where the related model says so', async (t) => {
  const rows = rule('$authenticated', 'ALLOW', { property: ['find', 'count', 'findById'], rows: '$owner' })
  const app = await makeShelf(t, [deny, rows])
  const get = async (url: string, user: number): Promise<unknown> =>
    (await app.inject({ url: `/api${url}`, headers: { user: String(user) } })).json()
  t.match(await get('/shelves/1/things', 2), [{ userId: 2 }])
  t.strictSame(await get('/shelves/1/things/count', 1), { count: 1 })
  t.strictSame(await get('/shelves/1/things?filter={"where":{"userId":1}}', 2), [])
  t.strictSame([await ask(app, 'GET /shelves/1/things/1', 1), await ask(app, 'GET /shelves/1/things/1', 2)], [200, 401])
})

void t.test('a key that holds no id makes nobody an owner', async (t) => {
  const belongsTo = { type: 'belongsTo', model: 'Thing', primaryKey: 'number', foreignKey: 'thingNumber' }
  const models = [
    { name: 'Note', plural: 'notes', relations: { thing: belongsTo } },
    {
      name: 'Thing',
      properties: { number: 'number', userId: 'number' },
      acls: [deny, rule('$owner', 'ALLOW')]
    }
  ]
  const app = await makeApp(t, models)
  await app.models.get('Thing').create([
    { number: 2, userId: 2 },
    { number: 9, userId: 1 }
  ])
  await app.models.get('Note').create({ thingNumber: 2 })
  t.equal(
    await ask(app, 'GET /notes/1/thing', 1),
    401,
    'it leads to the thing of user 2, whose number is the id of the own one'
  )
})

void t.test('parts of a record have no rules of their own: those of the record decide', async (t) => {
  const marks = { marks: { type: 'embedsMany', model: 'Thing', property: 'all' } }
  const thing = { name: 'Thing', properties: { userId: 'number' }, acls: [deny] }
  for (const [acls, status] of [
    [[], 200],
    [[deny, rule('$owner', 'ALLOW')], 401]
  ] as const) {
    const app = await makeApp(t, [{ name: 'Note', plural: 'notes', relations: marks, acls: [...acls] }, thing])
    await app.models.get('Note').create({ all: [{ id: 1, userId: 1 }] })
    t.equal(await ask(app, 'GET /notes/1/marks/1', 1), status)
  }
})
