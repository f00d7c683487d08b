import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createServer } from '@modelwire/boot'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t, { type Test } from 'tap'

const models = {
  'common/models/member.json': {
    name: 'Member',
    base: 'User',
    properties: { nick: 'string' },
    relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'memberId' } }
  },
  'common/models/order.json': {
    name: 'Order',
    base: 'PersistedModel',
    mongodb: { collection: 'orders' },
    properties: { total: 'number', lines: ['object'] },
    relations: { member: { type: 'belongsTo', model: 'Member', foreignKey: 'memberId' } }
  },
  'common/models/visit.json': {
    name: 'Visit',
    base: 'PersistedModel',
    properties: {
      place: { type: 'string', required: true },
      on: 'date',
      guests: ['string'],
      state: { type: 'string', default: 'open' }
    }
  }
}

const parcel = {
  name: 'Parcel',
  base: 'PersistedModel',
  properties: { code: { type: 'string', required: true }, weight: { type: 'number', default: 1 } }
}

const files = (url: string, connector: string, script: string): Readonly<Record<string, unknown>> => ({
  'package.json': { name: 'app', dependencies: { 'loopback-connector-mongodb': '^4.0.0' } },
  'server/config.json': { restApiRoot: '/api' },
  'server/datasources.json': {
    db: {
      name: 'db',
      connector,
      url,
      host: '',
      port: 0,
      database: '',
      password: '',
      user: '',
      allowExtendedOperators: true
    }
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    User: { dataSource: 'db', public: false },
    AccessToken: { dataSource: 'db', public: false },
    Member: { dataSource: 'db', public: true },
    Order: { dataSource: 'db', public: true },
    Parcel: { dataSource: 'db', public: true },
    Visit: { dataSource: 'db', public: true }
  },
  'server/middleware.json': { routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } },
  'server/boot/auth.js': 'module.exports = (server) => server.enableAuth()',
  'server/boot/try.js': `module.exports = async (app) => {
    const { Member, Order } = app.models
    app.set('seen', await (async () => { ${script} })())
  }`,
  'common/models/parcel.json': parcel,
  ...models
})

/** An application with the connector installed beside it, and what its boot script gives. */
async function serve(t: Test, { script = '', connector = 'mongodb' }: { script?: string; connector?: string } = {}) {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-mongodb-'))
  for (const [name, content] of Object.entries(files(database.url, connector, script))) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const installed = join(folder, 'node_modules/@modelwire')
  await mkdir(installed, { recursive: true })
  await symlink(join(import.meta.dirname, '..'), join(installed, 'connector-mongodb'), 'dir')
  const server = await createServer({ dir: folder, env: 'development', variables: {}, logger: false })
  t.teardown(async () => {
    await server.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, token = '') => {
    const headers = token === '' ? {} : { authorization: token }
    const { statusCode, body } = await server.inject({
      method,
      url: `/api${url}`,
      headers,
      ...(payload && { payload })
    })
    return { statusCode, body: JSON.parse(body) }
  }
  return { server, send, db: database.client.db(), seen: () => server.loopback.get('seen') }
}

for (const connector of ['mongodb', 'loopback-connector-mongodb'])
  void t.test(`an application folder that names ${connector} is served`, async (t) => {
    const { send, db } = await serve(t, { connector })
    const login = { email: 'a@example.org', password: 'correct horse' }
    const { body: member } = await send('POST', '/Members', login)
    t.match(member.id, /^[\da-f]{24}$/)
    const { body: token } = await send('POST', '/Members/login', login)
    t.match(token, { userId: member.id })
    const mine = `/Members/${String(member.id)}`
    t.match(await send('GET', mine, undefined, token.id), { statusCode: 200, body: { email: login.email } })
    t.equal((await send('GET', mine)).statusCode, 401)
    const { body: order } = await send('POST', '/Orders', { total: 5, memberId: member.id, lines: [{ sku: 'x' }] })
    const filter = encodeURIComponent(JSON.stringify({ include: 'member', where: { memberId: member.id } }))
    t.match(await send('GET', `/Orders?filter=${filter}`, undefined, token.id), {
      body: [{ id: order.id, member: { id: member.id } }]
    })
    t.match(await send('GET', '/Orders/5f0000000000000000000001'), { statusCode: 404 })
    t.match(await send('GET', '/Orders/nope'), { statusCode: 404 })
    const stored = await db.collection('orders').findOne()
    t.equal(String(stored?.['memberId']), member.id)
    t.not(typeof stored?.['memberId'], 'string', 'a key is an ObjectId, as the id is')
  })

void t.test('scripts use the driver, operators of updates, and ids of its class', async (t) => {
  const { seen } = await serve(t, {
    script: `
      const ds = Order.getDataSource()
      const order = await Order.create({ total: 1 })
      await order.updateAttributes({ $inc: { total: 4 } })
      await Order.updateAll({ id: order.id }, { $push: { lines: { sku: 'y' } } })
      const collection = ds.connector.collection(Order.modelName)
      const raw = await new Promise((resolve, reject) =>
        collection.find({ _id: ds.ObjectID(String(order.id)) }).toArray((error, all) => error ? reject(error) : resolve(all)))
      const byObject = await Order.findById(ds.connector.ObjectID(String(order.id)))
      const found = await Order.find({ where: { id: { inq: [ds.ObjectID(String(order.id))] } } })
      return {
        raw: raw.map(({ total, lines }) => ({ total, lines })),
        byObject: byObject && byObject.total,
        found: found.length,
        names: [ds.connector.name, ds.connector.collectionName('Order')],
        db: typeof ds.connector.db.collection
      }`
  })
  t.same(seen(), {
    raw: [{ total: 5, lines: [{ sku: 'y' }] }],
    byObject: 5,
    found: 1,
    names: ['mongodb', 'orders'],
    db: 'function'
  })
})

const days = { lund: '2020-01-01T00:00:00.000Z', oslo: '2021-01-01T00:00:00.000Z' }
const visits = Object.entries(days).map(([place, on]) => ({ place, on, guests: [place, 'ann'] }))

const findPlaces = async ({ send }: Awaited<ReturnType<typeof serve>>, where: object): Promise<string[]> => {
  const filter = encodeURIComponent(JSON.stringify({ where, order: 'place' }))
  const { body } = await send('GET', `/Visits?filter=${filter}`)
  return body.map(({ place }: { place: string }) => place)
}

void t.test('what is not in a list is told by all of its items', async (t) => {
  const served = await serve(t)
  await served.send('POST', '/Visits', [...visits, { place: 'turku' }])
  t.same(await findPlaces(served, { guests: { neq: 'ann' } }), ['turku'])
  t.same(await findPlaces(served, { guests: { neq: 'oslo' } }), ['lund', 'turku'])
  t.same(await findPlaces(served, { guests: { nin: ['lund', 'bo'] } }), ['oslo', 'turku'])
  t.same(await findPlaces(served, { guests: { nlike: '^os' } }), ['lund', 'turku'])
})

void t.test('lists of conditions find dates, and spare them', async (t) => {
  const served = await serve(t)
  const { send } = served
  await send('POST', '/Visits', visits)
  t.same(await findPlaces(served, { on: { inq: ['2020-01-01', days.oslo] } }), ['lund', 'oslo'])
  t.same(await findPlaces(served, { on: { nin: [days.lund] } }), ['oslo'])
  const others = encodeURIComponent(JSON.stringify({ on: { nin: [days.lund] } }))
  t.match(await send('POST', `/Visits/update?where=${others}`, { state: 'over' }), { body: { count: 1 } })
})

void t.test('what matches is patched, and what does not is created, as with the connector of LoopBack', async (t) => {
  const { send } = await serve(t)
  const upsert = (where: object, data: object) =>
    send('POST', `/Parcels/upsertWithWhere?where=${encodeURIComponent(JSON.stringify(where))}`, data)
  const { body: stored } = await send('POST', '/Parcels', { code: 'a' })
  t.match(await upsert({ code: 'a' }, { weight: 2 }), {
    statusCode: 200,
    body: { id: stored.id, code: 'a', weight: 2 }
  })
  t.match(await upsert({ code: 'b' }, { weight: 2 }), { statusCode: 422 })
  t.match(await upsert({ code: 'b' }, { code: 'b' }), { statusCode: 200, body: { code: 'b', weight: 1 } })
})
