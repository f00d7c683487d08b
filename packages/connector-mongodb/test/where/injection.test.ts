import { modelwire, ModelRegistry, type ModelDefinition } from '@modelwire/core'
import { conditionsOn, filterOf } from '@modelwire/connector-tests'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

const item: ModelDefinition = {
  name: 'Item',
  public: true,
  remoting: { sharedMethods: { updateAll: true } },
  properties: {
    id: { type: 'string', id: true, generated: true },
    name: 'string',
    price: 'number',
    tags: ['string'],
    meta: 'object',
    place: 'geopoint',
    owner: { type: 'string', readOnly: true }
  }
}

/** The operators that the connector uses. Whatever else begins with a dollar came from a client. */
const own = new Set(
  `$and $or $nor $eq $ne $gt $gte $lt $lte $in $nin $not $type $exists $regex $options $elemMatch $size $expr $set $setOnInsert
  $inc $max $match $sort $skip $limit $unset $project $group $sum $let $cond $isArray $arrayElemAt $pow $sin $divide $asin $sqrt
  $degreesToRadians $subtract $add $multiply $cos $min $ifNull $db`.split(/\s+/)
)

/** The operators that a command has, wherever they stand. */
function operatorsOf(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(operatorsOf)
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) => [
    ...(name.startsWith('$') ? [name] : []),
    ...operatorsOf(value)
  ])
}

async function open(t: Test) {
  const server = await startOwnServer()
  t.teardown(() => server.stop())
  const foreign = () => server.commands.flatMap(operatorsOf).filter((name) => !own.has(name))
  return { server, foreign, connector: mongodb({ url: `${server.url}/injection`, allowExtendedOperators: true }) }
}

const hostileNames = [
  '$where',
  '$expr',
  '$function',
  '$set',
  '$',
  '$$ROOT',
  '__proto__',
  'constructor',
  '',
  'a\0b',
  'a.b',
  '_id',
  '\ud800'
]
const hostileValues: readonly unknown[] = [
  '$where',
  '$name',
  '$$ROOT',
  'this.price > 0',
  { $gt: '' },
  { $ne: null },
  { $where: 'true' },
  { $function: { body: 'x', args: [], lang: 'js' } },
  [{ $gt: '' }],
  { _bsontype: 'ObjectId', id: 'x' },
  { _bsontype: 'Code', code: 'while(true){}' },
  { _bsontype: 'BSONRegExp', pattern: '.*', options: '' },
  { toBSON: { $gt: '' } },
  /.*/
]

void t.test('no value of a condition is read as an operator', async (t) => {
  const { connector, foreign } = await open(t)
  const registry = new ModelRegistry()
  registry.define(item)
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  t.teardown(() => connector.disconnect())
  const Item = registry.typeOf('Item')
  await Item.collection?.insert([{ name: 'a', tags: ['x'], meta: { a: 'b' } }])
  const { is, among, between } = conditionsOn(Item)
  const paths = ['name', 'price', 'tags', 'meta', 'meta.a', 'undeclared', 'id', 'place.lat']
  for (const [path, value] of paths.flatMap((each) => hostileValues.map((one) => [each, one] as const))) {
    t.equal(await Item.collection?.count(is(path, 'eq', value)), 0, `${path} ${JSON.stringify(value)}`)
    const ordered = typeof value === 'string' ? [] : [is(path, 'gt', value)]
    for (const where of [among(path, 'inq', [value]), between(path, value, value), ...ordered])
      t.equal(await Item.collection?.count(where), 0, `${path} ${JSON.stringify(value)}`)
    t.equal(await Item.collection?.findById(value as string), undefined)
  }
  t.same(foreign(), [])
})

void t.test('no name of a filter is read as an operator, or leads to another field', async (t) => {
  const { connector, foreign, server } = await open(t)
  const registry = new ModelRegistry()
  registry.define(item)
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  t.teardown(() => connector.disconnect())
  const { collection } = registry.typeOf('Item')
  await collection?.insert([{ name: 'a', meta: { a: 'b' } }])
  for (const name of hostileNames.filter((each) => each !== '_id'))
    for (const path of [[name], ['meta', name], ['meta', 'a', name], ['tags', name, '0'], ['place', name]]) {
      const at = { kind: 'test', path } as const
      t.equal(await collection?.count({ ...at, test: 'equals', value: 'b' }), 0, path.join(' / '))
      t.equal(await collection?.count({ ...at, test: 'equals', negated: true, value: 'b' }), 1, path.join(' / '))
      const order = [{ path, descending: true }]
      t.equal(
        (await collection?.find(filterOf({ order, fields: new Set([name, 'name']) })))?.length,
        1,
        path.join(' / ')
      )
    }
  t.same(foreign(), [])
  t.notOk(server.commands.some(({ projection, sort }) => /[$]|\0/.test(JSON.stringify([projection, sort]))))
})

void t.test('clients reach no operator of the database', async (t) => {
  const { connector, foreign } = await open(t)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models: [item], shutdownTime: 0 })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await app.models.get('Item').create([
    { name: 'a', owner: 'me' },
    { name: 'b', owner: 'me' }
  ])
  const names = ['$where', '$expr', '$function', '$text', '$jsonSchema', '$comment', 'name.$ne', '$or']
  for (const name of names) {
    const where = encodeURIComponent(JSON.stringify({ [name]: 'this.name' }))
    for (const url of [
      `/api/Items?filter={"where":${where}}`,
      `/api/Items/count?where=${where}`,
      `/api/Items?filter[where][${name}]=1`
    ]) {
      const { statusCode, body } = await app.inject(url)
      t.ok(statusCode === 400 || body === '[]' || body === '{"count":0}', `${url}: ${statusCode} ${body}`)
    }
  }
  for (const operator of ['$ne', '$gt', '$where', '$regex', '$exists', '$not', '$elemMatch']) {
    const { statusCode, body } = await app.inject(`/api/Items?filter[where][name][${operator}]=`)
    t.ok(statusCode === 400 || body === '[]', `${operator}: ${statusCode} ${body}`)
  }
  for (const payload of [{ $set: { owner: 'you' } }, { name: 'x', $inc: { price: 1 } }, { $unset: { owner: '' } }]) {
    const sent = await app.inject({ method: 'POST', url: '/api/Items/update?where={"name":"a"}', payload })
    t.equal(sent.statusCode, 400, JSON.stringify(payload))
    t.equal((await app.inject({ method: 'POST', url: '/api/Items', payload })).statusCode, 400, JSON.stringify(payload))
  }
  for (const payload of [{ meta: { $set: 1 } }, { meta: [{ $gt: '' }] }, { 'a.b': 1 }])
    t.equal((await app.inject({ method: 'POST', url: '/api/Items', payload })).statusCode, 400, JSON.stringify(payload))
  t.same(foreign(), [])
  t.match(await app.models.get('Item').find(), [{ owner: 'me' }, { owner: 'me' }])
})

void t.test('an id that is hidden is not told by the name that MongoDB has for it', async (t) => {
  const { connector } = await open(t)
  const app = Fastify()
  t.teardown(() => app.close())
  const hiding = { name: 'Ticket', public: true, hidden: ['key'], properties: { key: { type: 'string', id: true } } }
  const models: ModelDefinition[] = [hiding, { ...hiding, name: 'Open', hidden: [] }]
  await app.register(modelwire, { dataSources: { db: connector }, models, shutdownTime: 0 })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const rows = [
    { key: 'a', note: 2 },
    { key: 'b', note: 1 }
  ]
  for (const name of ['Ticket', 'Open']) await app.models.get(name).create(rows)
  const notes = async (path: string, filter: object) =>
    (await app.inject(`/api/${path}?filter=${JSON.stringify(filter)}`)).json().map(({ note }: { note: number }) => note)
  t.same(await notes('Opens', { where: { _id: { gt: 'a' } } }), [1], 'as in LoopBack')
  t.same(await notes('Tickets', { where: { _id: { gt: 'a' } } }), [])
  t.same(await notes('Tickets', { where: { _id: 'a' } }), [])
  t.same(await notes('Opens', { order: '_id DESC' }), [1, 2])
  t.same(await notes('Tickets', { order: '_id DESC' }), [2, 1])
  t.equal(
    (await app.inject('/api/Tickets?filter={"where":{"key":"a"}}')).json().error.code,
    'HIDDEN_PROPERTY_IN_FILTER'
  )
})
