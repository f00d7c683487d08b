import { createRequire } from 'node:module'
import type { ModelDefinition } from '@modelwire/core'
import type { Collection, Row } from '@modelwire/core/connector'
import { conditionsOn, filterOf } from '@modelwire/connector-tests'
import { Decimal128, type Document, ObjectId } from 'mongodb'
import t, { type Test } from 'tap'
import { type OpenModels, openModels } from './open-models.ts'

// What loopback-datasource-juggler 3.36.1 with loopback-connector-mongodb 4.2.0 writes is read here, and the other way round, on one
// server.

type Callback = (error: unknown, result: unknown) => void

/** A model of LoopBack, as far as it is used here. */
interface JugglerModel {
  create(data: object): Promise<JugglerRecord>
  find(filter?: object): Promise<JugglerRecord[]>
  findById(id: unknown): Promise<JugglerRecord | null>
  count(where?: object): Promise<number>
  hasMany(model: JugglerModel, settings: object): void
  belongsTo(model: JugglerModel, settings: object): void
}

interface JugglerRecord {
  readonly id: unknown
  toJSON(): Row
}

interface JugglerSource {
  createModel(name: string, properties: object, settings?: object): JugglerModel
  once(event: string, listener: (error?: unknown) => void): void
  disconnect(callback: Callback): void
}

const load = createRequire(import.meta.url)

const hex = '5f0000000000000000000001'

const customer = {
  name: 'string',
  code: 'string',
  since: 'date',
  price: { type: 'string', mongodb: { dataType: 'decimal128' } },
  renamed: { type: 'string', mongodb: { fieldName: 'other_name' } },
  place: 'geopoint',
  picture: 'buffer',
  tags: ['string'],
  address: { street: 'string', ref: 'string' },
  age: 'number',
  active: 'boolean',
  more: 'object'
} as const

const order = { total: 'number', noteId: 'string' } as const
const orders = { mongodb: { collection: 'orders' } }

/** What relations note of a key. */
const keyOfCustomer = { type: 'string', refersTo: { model: 'Customer', property: 'id' } } as const
const define = (name: string, properties: object, more: object = {}) =>
  ({ name, base: 'PersistedModel', properties, ...more }) as ModelDefinition
const ids = {
  Text: { id: { type: 'string', id: true }, n: 'number' },
  Count: { id: { type: 'number', id: true }, n: 'number' },
  Made: { id: { type: 'number', id: true, generated: true }, n: 'number' }
} as const

const definitions: readonly ModelDefinition[] = [
  define('Customer', customer, {
    relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'customerId' } }
  }),
  define('Order', { ...order, customerId: keyOfCustomer }, orders),
  ...Object.entries(ids).map(([name, properties]) => define(name, properties))
]

/** LoopBack's models on a database. */
async function openLoopback(t: Test, settings: Readonly<Record<string, unknown>>) {
  // The modules have no types.
  const { DataSource } = load('loopback-datasource-juggler') as {
    DataSource: new (given: object) => JugglerSource
  }
  const connector: unknown = load('loopback-connector-mongodb')
  const source = new DataSource({ connector, ...settings })
  t.teardown(async () => new Promise<void>((resolve) => source.disconnect(() => resolve())))
  await new Promise<void>((resolve, reject) => {
    source.once('connected', () => resolve())
    source.once('error', reject)
  })
  const Customer = source.createModel('Customer', customer, { strict: false })
  const Order = source.createModel('Order', order, orders)
  Customer.hasMany(Order, { as: 'orders', foreignKey: 'customerId' })
  Order.belongsTo(Customer, { as: 'customer', foreignKey: 'customerId' })
  const [Text, Count, Made] = (['Text', 'Count', 'Made'] as const).map((name) => source.createModel(name, ids[name]))
  if (Text === undefined || Count === undefined || Made === undefined) throw new Error('a model is missing')
  return { Customer, Order, Text, Count, Made }
}

/** Both worlds on one database. */
async function openWorlds(t: Test, settings: Readonly<Record<string, unknown>> = {}) {
  const opened = await openModels(t, definitions, settings, { compat: true })
  return { own: opened, other: await openLoopback(t, { url: opened.database.url, ...settings }) }
}

const data = (): Row => ({
  name: 'Ann',
  code: hex,
  since: new Date('2020-01-02T03:04:05.678Z'),
  price: '12.50',
  renamed: 'r',
  place: { lat: 55.7, lng: 13.2 },
  picture: Buffer.from('bytes'),
  tags: ['a', hex],
  address: { street: 's', ref: hex },
  age: 5,
  active: true,
  more: { k: [1, { d: 'x' }], none: null },
  undeclared: { list: [1, 'a'] },
  nothing: null
})

const inJson = (value: unknown): Row => JSON.parse(JSON.stringify(value)) as Row

const first = async (collection: Collection): Promise<Row> => (await collection.find(filterOf({})))[0] ?? {}
const document = async ({ db }: OpenModels, name: string): Promise<Document> =>
  (await db.collection(name).findOne()) ?? {}

for (const strictObjectIDCoercion of [false, true]) {
  const mode = strictObjectIDCoercion ? 'strict' : 'not strict'
  void t.test(`records of LoopBack are read as they were written (${mode})`, async (t) => {
    const { own, other } = await openWorlds(t, { strictObjectIDCoercion })
    const { id } = await other.Customer.create(data())
    await other.Order.create({ total: 5, noteId: hex, customerId: id })
    const read = await first(own.collection('Customer'))
    t.match(read, { ...data(), id: String(id) })
    t.strictSame(Object.keys(read).slice(-2), ['undeclared', 'nothing'])
    t.match(await own.collection('Customer').findById(String(id)), { name: 'Ann' })
    t.match(await own.collection('Customer').findById(String(id).toUpperCase()), { name: 'Ann' })
    const { is } = conditionsOn(own.model('Customer'))
    for (const where of [
      is('code', 'eq', hex),
      is('price', 'eq', '12.50'),
      is('renamed', 'eq', 'r'),
      is('tags', 'eq', hex)
    ])
      t.equal(await own.collection('Customer').count(where), 1, JSON.stringify(where))
    const of = conditionsOn(own.model('Order'))
    const [related] = await own.collection('Order').find(filterOf({ where: of.is('customerId', 'eq', String(id)) }))
    t.match(related, { total: 5, noteId: hex, customerId: String(id) })
  })

  void t.test(`LoopBack reads and finds the records that are written here (${mode})`, async (t) => {
    const { own, other } = await openWorlds(t, { strictObjectIDCoercion })
    const [row] = await own.collection('Customer').insert([data()])
    const id = String(row?.['id'])
    await own.collection('Order').insert([{ total: 5, noteId: hex, customerId: id }])
    // As it sends them: the values themselves may be ids.
    const sent = { ...inJson(data()), id, price: { $numberDecimal: '12.50' } }
    t.match(inJson(await other.Customer.findById(id)), sent)
    t.equal(await other.Customer.count({ code: hex }), 1)
    t.equal(await other.Customer.count({ renamed: 'r' }), 1)
    t.equal(await other.Order.count({ customerId: id }), 1)
    t.equal(await other.Order.count({ noteId: hex }), 1)
    const [withOrders] = await other.Customer.find({ include: 'orders' })
    t.match(inJson(withOrders), { orders: [{ total: 5 }] })
  })
}

void t.test('documents have the forms that LoopBack gives them', async (t) => {
  const { own } = await openWorlds(t)
  await own.collection('Customer').insert([data()])
  const stored = await document(own, 'Customer')
  t.ok(stored['_id'] instanceof ObjectId)
  t.notOk('id' in stored)
  t.strictSame(stored['price'], Decimal128.fromString('12.50'))
  t.equal(stored['other_name'], 'r')
  t.notOk('renamed' in stored)
  t.strictSame(stored['place'], { lat: 55.7, lng: 13.2 })
  t.equal(stored['nothing'], null)
  t.strictSame(stored['code'], new ObjectId(hex), 'as its newer versions do: older ones do not find the text')
  await own.collection('Order').insert([{ customerId: hex }])
  t.strictSame((await document(own, 'orders'))['customerId'], new ObjectId(hex))
})

void t.test('strict: texts stay texts, but for ids and keys that refer to them', async (t) => {
  const { own } = await openWorlds(t, { strictObjectIDCoercion: true })
  await own.collection('Customer').insert([data()])
  const stored = await document(own, 'Customer')
  t.ok(stored['_id'] instanceof ObjectId)
  t.equal(stored['code'], hex)
  t.strictSame(stored['tags'], ['a', hex])
  await own.collection('Order').insert([{ customerId: hex, noteId: hex }])
  t.match(await document(own, 'orders'), { customerId: new ObjectId(hex), noteId: hex })
  await own.collection('Text').insert([{ id: hex }])
  t.equal((await document(own, 'Text'))['_id'], hex)
})

void t.test('ids of texts, of numbers, and made by the database', async (t) => {
  const { own, other } = await openWorlds(t)
  await other.Text.create({ id: 'abc', n: 1 })
  await other.Text.create({ id: hex, n: 2 })
  await other.Count.create({ id: 7, n: 3 })
  const made = await other.Made.create({ n: 4 })
  t.match(await own.collection('Text').findById('abc'), { id: 'abc', n: 1 })
  t.match(await own.collection('Text').findById(hex), { id: hex, n: 2 })
  t.match(await own.collection('Count').findById(7), { id: 7, n: 3 })
  t.match(await own.collection('Made').findById(String(made.id)), { n: 4 })
  const [row] = await own.collection('Made').insert([{ n: 5 }])
  t.match(row?.['id'], /^[\da-f]{24}$/, 'LoopBack makes ObjectIds, whatever type is declared')
  t.match((await other.Made.findById(row?.['id']))?.toJSON(), { n: 5 })
  await own.collection('Text').insert([
    { id: 'def', n: 6 },
    { id: '5f0000000000000000000002', n: 7 }
  ])
  t.match((await other.Text.findById('def'))?.toJSON(), { n: 6 })
  t.match((await other.Text.findById('5f0000000000000000000002'))?.toJSON(), { n: 7 })
})
