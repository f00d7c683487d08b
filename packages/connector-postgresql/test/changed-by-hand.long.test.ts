import { migrate, type ModelDefinition, ModelRegistry, planMigration } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'

const crate = (properties: object, more: object = {}): ModelDefinition => ({
  name: 'Crate',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, ...properties },
  ...more
})

/** A registry on a database of its own, whose tables `statements` made. */
async function openOn(t: Test, statements: string, models: readonly ModelDefinition[]): Promise<ModelRegistry> {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, statements)
  return open(t, url, models)
}

async function open(t: Test, url: string, models: readonly ModelDefinition[]): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url }))
  for (const model of models) {
    registry.define(model)
    registry.attach(model.name, 'db')
  }
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return registry
}

const nothing = [{ steps: [], notes: [] }]
const crates = 'create table crate (id serial primary key, code varchar(20), size double precision);'
const code = { type: 'string', length: 20 }
const shelf = crate({ code: { ...code, unique: true }, size: { type: 'number', index: true } })

void t.test('indexes of expressions, of some records and with more columns do not stand for others', async (t) => {
  const statements = `${crates}
    create unique index a on crate (code, lower(code)); create index b on crate (size) where size > 3;
    create unique index c on crate (code) where size > 3;`
  const registry = await openOn(t, statements, [shelf])
  t.match(await planMigration(registry), [{ steps: [{ kind: 'createIndex' }, { kind: 'createIndex' }], notes: [] }])
  await migrate(registry)
  t.match(await planMigration(registry, { prune: true }), nothing)
  const included = await openOn(t, `${crates} create unique index a on crate (code) include (size);`, [
    crate({ code: { ...code, unique: true }, size: 'number' })
  ])
  t.match(await planMigration(included), nothing)
})

void t.test('an index of a partitioned table is made', async (t) => {
  const statements = `create table crate (id serial primary key, code varchar(20)) partition by range (id);
    create table crate_1 partition of crate for values from (0) to (1000)`
  const registry = await openOn(t, statements, [crate({ code: { ...code, length: 30, index: true } })])
  await migrate(registry)
  t.match(await planMigration(registry), nothing)
})

void t.test('a schema is made once, and needs no right to make one afterwards', async (t) => {
  const registry = await openOn(t, '', [crate({ code }, { postgresql: { schema: 'Shop' } })])
  t.match(await planMigration(registry), [{ steps: [{ kind: 'createSchema' }, { kind: 'createTable' }] }])
  await migrate(registry)
  t.match(await planMigration(registry), nothing)
})

void t.test('a view is never changed, and says what it lacks', async (t) => {
  const view = crate(
    { code: { ...code, required: true, index: true }, more: 'number' },
    { postgresql: { table: 'seen' } }
  )
  const relations = { foreignKeys: { fk: { entity: 'Crate', entityKey: 'id', foreignKey: 'seenId' } } }
  const note: ModelDefinition = { name: 'Note', strict: true, properties: { seenId: 'number' }, ...relations }
  const registry = await openOn(t, `${crates} create view seen as select id, code from crate`, [view, note])
  for (const empty of [false, true]) {
    const [plan] = await planMigration(registry, { empty })
    t.match(plan?.steps, [{ kind: 'createTable', model: 'Note' }])
    t.match(plan?.notes, [/fk is left out: seen is a view/, /view seen has no column more/])
  }
  await migrate(registry, { empty: true })
  t.match(await planMigration(registry), [{ steps: [] }])
})

void t.test('a longer text keeps the collation of its column', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, 'create table crate (id serial primary key, a varchar(20), b varchar(20) collate "POSIX")')
  const registry = await open(t, url, [crate({ a: { type: 'string', length: 30 }, b: { type: 'string', length: 30 } })])
  await migrate(registry)
  const columns = `select collation_name, character_maximum_length as length from information_schema.columns where table_name = 'crate' and column_name in ('a', 'b') order by column_name`
  t.match((await runOn(url, columns))[0]?.rows, [
    { collation_name: null, length: 30 },
    { collation_name: 'POSIX', length: 30 }
  ])
  t.match(await planMigration(registry), nothing)
})

void t.test('what somebody took from a table is told', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['alter table crate alter id drop default', /column id of crate does not generate numbers/],
    ['alter table crate drop constraint crate_pkey', /no primary key/],
    [
      'alter table crate drop constraint crate_pkey, add primary key (size)',
      /primary key \(size\), and the id of Crate is \(id\)/
    ],
    ['alter table crate alter size set default 5', /column size of crate has a default, but Crate does not/],
    ['alter table crate alter size set not null', /column size of crate is not null, but/],
    ['alter table crate add kept text not null', /column kept of crate .* no model has it: new records are refused/],
    [
      'alter table crate alter code type varchar(10)',
      /column code of crate is character varying\(10\), but Crate sets no length/
    ],
    ['alter table crate alter code type integer using 1', /column code of crate is integer/]
  ]
  for (const [change, note] of cases) {
    const registry = await openOn(t, `${crates} alter table crate alter code type text; ${change}`, [
      crate({ code: 'string', size: 'number' })
    ])
    const [plan] = await planMigration(registry)
    t.same(plan?.steps, [], change)
    t.ok(
      plan?.notes.some((each) => note.test(each)),
      `${change}: ${plan?.notes.join()}`
    )
  }
})

void t.test('a transaction that goes on keeps an index from being made for lockTimeout at most', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, `${crates} insert into crate (code) values ('a')`)
  const [other, registry] = await Promise.all([
    open(t, url, [crate({ code })]),
    open(t, url, [crate({ code: { ...code, index: true } })])
  ])
  await other.transaction(async () => {
    await other.get('Crate').create({ code: 'b' })
    await t.rejects(migrate(registry, { lockTimeout: 300 }), {
      code: 'MIGRATION_LOCKED',
      message: /an open transaction/
    })
  })
  t.match(await planMigration(registry), [{ steps: [{ kind: 'dropIndex' }, { kind: 'createIndex' }] }])
  await migrate(registry)
  t.match(await planMigration(registry), nothing)
})
