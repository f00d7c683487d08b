import type { ModelDefinition } from '@modelwire/core'
import type { MigrationPlan } from '@modelwire/core/connector'
import t from 'tap'
import { type OpenModels, openModels } from '../open-models.ts'

const account: ModelDefinition = {
  name: 'Account',
  mongodb: { collection: 'accounts', validator: { email: { $type: 'string' } }, validationLevel: 'moderate' },
  properties: {
    id: { type: 'string', id: true, generated: true },
    email: { type: 'string', unique: true, mongodb: { fieldName: 'mail' } },
    age: { type: 'number', index: true },
    expires: { type: 'date', index: { expireAfterSeconds: 60, background: true } },
    title: { type: 'string', index: { mongodb: { kind: 'text' } } },
    place: { type: 'geopoint', index: true }
  },
  indexes: {
    byAge: { age: 1, email: -1 },
    one_per_place: { keys: { place: 1 }, options: { unique: true, sparse: true } },
    listed: { columns: 'age, expires' }
  }
}

async function open(t: Parameters<typeof openModels>[0], definitions = [account], settings = {}) {
  const opened = await openModels(t, definitions, settings)
  const models = definitions.map(({ name }) => opened.model(name))
  const { connector } = opened
  const plan = async (options = {}) =>
    (await connector.planMigration?.(models, { empty: false, ...options })) ?? nothing
  const migrate = async (options = {}) => (await connector.migrate?.(models, { empty: false, ...options })) ?? nothing
  return { ...opened, plan, migrate }
}

const nothing: MigrationPlan = { steps: [], notes: [] }

const indexesOf = async ({ db }: Pick<OpenModels, 'db'>, name: string) =>
  (await db.collection(name).listIndexes().toArray()).map(({ v: _v, ...index }) => index)

const described = [
  'create the collection accounts',
  'create the index byAge of accounts',
  'create the unique index one_per_place of accounts',
  'create the index listed of accounts',
  'create the unique index mail_1 of accounts',
  'create the index age_1 of accounts',
  'create the index expires_1 of accounts',
  'create the index title_text of accounts',
  'create the index place_1 of accounts'
]

void t.test('a plan says what is made, and a migration makes that', async (t) => {
  const opened = await open(t)
  const planned = await opened.plan()
  t.same(
    planned.steps.map(({ description }) => description),
    described
  )
  t.notOk(planned.steps.some(({ destructive }) => destructive))
  t.equal(
    planned.steps[4]?.statement,
    'db.getCollection("accounts").createIndex({"mail":1}, {"name":"mail_1","unique":true,"partialFilterExpression":{"mail":{"$gte":""}}})'
  )
  t.same(await opened.db.listCollections().toArray(), [], 'nothing is changed by a plan')
  const heard: string[] = []
  const done = await opened.migrate({
    plan: planned,
    onStep: ({ kind }: { kind: string }, position: number, total: number) =>
      void heard.push(`${kind} ${position}/${total}`)
  })
  t.same(done, planned)
  t.equal(heard[0], 'createTable 1/9')
  t.match(await indexesOf(opened, 'accounts'), [
    { name: '_id_' },
    { name: 'byAge', key: { age: 1, mail: -1 } },
    { name: 'one_per_place', key: { place: 1 }, unique: true, sparse: true },
    { name: 'listed', key: { age: 1, expires: 1 } },
    { name: 'mail_1', key: { mail: 1 }, unique: true },
    { name: 'age_1' },
    { name: 'expires_1', expireAfterSeconds: 60 },
    { name: 'title_text' },
    { name: 'place_1' }
  ])
  const [collection] = await opened.db.listCollections({ name: 'accounts' }).toArray()
  t.match(collection, { options: { validator: { email: { $type: 'string' } }, validationLevel: 'moderate' } })
  t.same((await opened.plan()).steps, [], 'nothing is left to do')
})

void t.test('records stay, unless they are to go', async (t) => {
  const opened = await open(t)
  await opened.db.collection('accounts').insertOne({ mail: 'a@b' })
  await opened.migrate()
  t.equal(await opened.collection('Account').count(undefined), 1)
  const planned = await opened.plan({ empty: true })
  t.match(planned.steps.slice(0, 2), [
    { kind: 'dropTable', destructive: true, statement: 'db.getCollection("accounts").drop()' },
    { kind: 'createTable', destructive: false }
  ])
  await opened.migrate({ empty: true })
  t.equal(await opened.collection('Account').count(undefined), 0)
})

void t.test('an index that differs is made anew, a unique one that no model has goes with prune', async (t) => {
  const opened = await open(t)
  const accounts = opened.db.collection('accounts')
  await accounts.createIndex({ expires: 1 }, { expireAfterSeconds: 5 })
  await accounts.createIndex({ old: 1 }, { unique: true, name: 'old' })
  await accounts.createIndex({ other: 1 }, { name: 'other' })
  const kinds = ({ steps }: MigrationPlan) =>
    steps.filter(({ kind }) => kind === 'dropIndex').map(({ statement }) => statement)
  t.same(kinds(await opened.plan()), ['db.getCollection("accounts").dropIndex("expires_1")'])
  t.same(kinds(await opened.plan({ prune: true })), [
    'db.getCollection("accounts").dropIndex("expires_1")',
    'db.getCollection("accounts").dropIndex("old")'
  ])
  await opened.migrate({ prune: true })
  const names = (await indexesOf(opened, 'accounts')).map(({ name }) => String(name))
  t.ok(names.includes('other'))
  t.notOk(names.includes('old'))
  t.same((await opened.plan({ prune: true })).steps, [])
})

void t.test('a unique index of LoopBack serves, and it is said what it does', async (t) => {
  const opened = await open(t)
  await opened.db.collection('accounts').createIndex({ mail: 1 }, { unique: true })
  const { steps, notes } = await opened.plan()
  t.notOk(steps.some(({ statement }) => statement.includes('mail_1')))
  t.same(notes, [
    'the unique index mail_1 of accounts allows only one record without a value: drop it, and a migration recreates it'
  ])
})

void t.test('points that are stored as GeoJSON have an index of their kind', async (t) => {
  const opened = await open(t, [account], { enableGeoIndexing: true })
  const [step] = (await opened.plan()).steps.filter(({ statement }) => statement.includes('2dsphere'))
  t.equal(
    step?.statement,
    'db.getCollection("accounts").createIndex({"place":"2dsphere"}, {"name":"index2dsphereplace"})'
  )
})

void t.test('models share a collection', async (t) => {
  const shared = { mongodb: { collection: 'shared' } }
  const opened = await open(t, [
    { name: 'One', ...shared, properties: { a: { type: 'string', index: true } } },
    { name: 'Two', ...shared, properties: { a: { type: 'string', index: true }, b: { type: 'number', index: true } } }
  ])
  t.match(
    (await opened.plan()).steps.map(({ kind, model }) => [kind, model]),
    [
      ['createTable', undefined],
      ['createIndex', 'One'],
      ['createIndex', 'Two']
    ]
  )
})

void t.test('what changed since the plan was agreed to is refused', async (t) => {
  const opened = await open(t)
  const planned = await opened.plan()
  await opened.db.createCollection('accounts')
  await t.rejects(opened.migrate({ plan: planned }), { code: 'MIGRATION_PLAN_CHANGED', statusCode: 409 })
})

void t.test('a unique index over values that are there twice is refused with the step', async (t) => {
  const opened = await open(t)
  await opened.db.collection('accounts').insertMany([{ mail: 'a' }, { mail: 'a' }])
  await t.rejects(opened.migrate(), { code: 'MIGRATION_FAILED', step: { kind: 'createIndex' } })
})

void t.test('one process migrates at a time', async (t) => {
  const opened = await open(t)
  const locks = opened.db.collection<{ _id: string; owner: string; until: Date }>('modelwire_locks')
  await locks.insertOne({ _id: 'migration', owner: 'other', until: new Date(Date.now() + 60_000) })
  await t.rejects(opened.migrate({ lockTimeout: 0 }), { code: 'MIGRATION_LOCKED', statusCode: 409 })
  await locks.updateOne({ _id: 'migration' }, { $set: { until: new Date(0) } })
  t.equal((await opened.migrate()).steps.length, 9, 'the lock of a process that is gone')
  t.equal(await locks.countDocuments(), 0)
  const both = await Promise.all([opened.migrate({ empty: true }), opened.migrate()])
  t.equal(both.length, 2)
})

void t.test('a mapping that cannot be is refused at the start', async (t) => {
  const wrong: readonly ModelDefinition[] = [
    { name: 'A', mongodb: { collection: 5 } },
    { name: 'A', mongodb: { collection: 'system.users' } },
    { name: 'A', properties: { id: { type: 'string', id: true, mongodb: { fieldName: 'key' } } } },
    { name: 'A', properties: { a: { type: 'string', mongodb: { fieldName: '$a' } } } },
    { name: 'A', properties: { a: { type: 'string', mongodb: { fieldName: 'a.b' } } } }
  ]
  for (const definition of wrong)
    await t.rejects(openModels(t, [definition]), { code: 'MODEL_DEFINITION_INVALID' }, JSON.stringify(definition))
})
