import { discoverModels, ModelRegistry } from '@modelwire/core'
import { type Db, Decimal128, ObjectId } from 'mongodb'
import t from 'tap'
import { openModels } from '../open-models.ts'

async function open(t: Parameters<typeof openModels>[0]) {
  const opened = await openModels(t, [])
  await fill(opened.db)
  const source = opened.registry.dataSources.get('db')
  if (source === undefined) throw new Error('there is no data source')
  return { ...opened, source }
}

async function fill(db: Db): Promise<void> {
  const ids = [new ObjectId(), new ObjectId()] as const
  await db.collection('customers').insertMany([
    {
      _id: ids[0],
      name: 'a',
      age: 5,
      since: new Date(),
      email: 'a@b',
      place: { lat: 1, lng: 2 },
      tags: ['x'],
      mixed: 1
    },
    {
      _id: ids[1],
      name: 'b',
      balance: Decimal128.fromString('1.50'),
      active: true,
      mixed: 'x',
      more: { a: 1 },
      none: null
    }
  ])
  await db.collection('customers').createIndex({ email: 1 }, { unique: true })
  await db.collection('customers').createIndex({ name: 1 })
  await db.collection('customers').createIndex({ age: 1, name: -1 }, { name: 'by_age' })
  await db
    .collection('order-lines')
    .insertMany([
      { customerId: ids[0], friendIds: [ids[1]], until: new Date(), strange: new ObjectId() },
      { customerId: ids[1] }
    ])
  await db.collection('order-lines').createIndex({ until: 1 }, { expireAfterSeconds: 60 })
  await db.collection<{ _id: number }>('numbers').insertOne({ _id: 5 })
  await db.createCollection('empty')
  await db.collection<{ _id: string }>('modelwire_counters').insertOne({ _id: 'numbers' })
}

const customers = {
  name: 'Customers',
  mongodb: { collection: 'customers' },
  idInjection: false,
  properties: {
    id: { type: 'string', id: true, generated: true },
    name: { type: 'string', index: true },
    age: { type: 'number' },
    since: { type: 'date' },
    email: { type: 'string', unique: true },
    place: { type: 'geopoint' },
    tags: { type: ['string'] },
    mixed: { type: 'any' },
    balance: { type: 'string', mongodb: { dataType: 'decimal128' } },
    active: { type: 'boolean' },
    more: { type: 'object' },
    none: { type: 'any' }
  },
  indexes: { by_age: { keys: { age: 1, name: -1 } } }
}

const lines = {
  name: 'OrderLines',
  mongodb: { collection: 'order-lines' },
  idInjection: false,
  properties: {
    id: { type: 'string', id: true, generated: true },
    customerId: { type: 'string', mongodb: { dataType: 'ObjectID' } },
    friendIds: { type: ['string'], mongodb: { dataType: 'ObjectID' } },
    until: { type: 'date', index: { expireAfterSeconds: 60 } },
    strange: { type: 'string', mongodb: { dataType: 'ObjectID' } }
  },
  relations: { customer: { type: 'belongsTo', model: 'Customers', foreignKey: 'customerId' } }
}

void t.test('models are made of samples of documents', async (t) => {
  const { source, connector } = await open(t)
  const models = await discoverModels(source)
  t.match(
    models.map(({ name }) => name),
    ['Customers', 'Numbers', 'OrderLines'],
    'collections without documents, and those of the connector itself, are none'
  )
  t.same(models[0], customers)
  t.same(models[1]?.properties, { id: { type: 'number', id: true } })
  t.same(models[2], lines)
  const registry = new ModelRegistry()
  for (const model of models) registry.define(model)
  registry.addDataSource('db', connector)
  for (const { name } of models) registry.attach(name, 'db')
  const plan = await connector.planMigration?.(
    models.map(({ name }) => registry.typeOf(name)),
    { empty: false }
  )
  t.same(
    plan?.steps.filter(({ statement }) => !statement.includes('email')),
    [],
    'what is discovered is there'
  )
  t.match(await registry.typeOf('Customers').collection?.find({ order: [], skip: 0 }), [
    { age: 5 },
    { balance: '1.50' }
  ])
})

void t.test('only some of them, under other names', async (t) => {
  const { source } = await open(t)
  const nameOf = (_kind: string, name: string): string => `${name}X`
  const [model, ...others] = await discoverModels(source, { tables: ['numbers', 'nope'], nameOf })
  t.same(others, [])
  t.match(model, { name: 'numbersX', mongodb: { collection: 'numbers' } })
})

void t.test('collections and fields are listed in the words of tables', async (t) => {
  const { connector } = await open(t)
  const { discovery } = connector
  t.same(await discovery?.listTables({}), [
    { type: 'table', name: 'customers', owner: undefined },
    { type: 'table', name: 'empty', owner: undefined },
    { type: 'table', name: 'numbers', owner: undefined },
    { type: 'table', name: 'order-lines', owner: undefined }
  ])
  t.match(await discovery?.listColumns('numbers', {}), [
    { tableName: 'numbers', columnName: '_id', dataType: 'number', nullable: 'N', type: 'number', generated: false }
  ])
  t.match(await discovery?.listPrimaryKeys('customers', {}), [{ columnName: '_id', keySeq: 1 }])
  t.match(await discovery?.listForeignKeys('order-lines', {}), [
    { fkColumnName: 'customerId', pkTableName: 'customers', pkColumnName: '_id' }
  ])
  t.same(await discovery?.listColumns('nope', {}), [])
})
