import { type ModelDefinition, ModelRegistry, migrate, planMigration } from '@modelwire/core'
import { sqlite } from '@modelwire/connector-sqlite'
import LibSql from 'libsql'
import t, { type Test } from 'tap'
import { temporaryFile } from './fixtures/temporary-file.ts'

const crate = (properties: object, more: object = {}): ModelDefinition => ({
  name: 'Crate',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, ...properties },
  ...more
})

const crates = 'create table crate (id integer primary key autoincrement, code text);'
const nothing = [{ steps: [], notes: [] }]

/** A registry on a file of its own, whose tables `statements` made. */
async function openOn(t: Test, statements: string, models: readonly ModelDefinition[]): Promise<ModelRegistry> {
  const file = temporaryFile(t)
  const database = new LibSql(file)
  database.exec(statements)
  database.close()
  const registry = new ModelRegistry()
  registry.addDataSource('db', sqlite({ file }))
  for (const model of models) {
    registry.define(model)
    registry.attach(model.name, 'db')
  }
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return registry
}

void t.test('indexes of expressions and of some records do not stand for others', async (t) => {
  const statements = `${crates} create unique index a on crate (code, lower(code)); create unique index b on crate (code) where id > 3`
  const registry = await openOn(t, statements, [crate({ code: { type: 'string', unique: true } })])
  await migrate(registry)
  await registry.get('Crate').create({ code: 'a' })
  await t.rejects(registry.get('Crate').create({ code: 'a' }), { code: 'DUPLICATE_KEY' })
  t.match(await planMigration(registry, { prune: true }), nothing)
})

void t.test('a view is never changed, and says what it lacks', async (t) => {
  const view = crate(
    { code: { type: 'string', required: true, index: true }, more: 'number' },
    { sqlite3: { table: 'seen' } }
  )
  const registry = await openOn(t, `${crates} create view seen as select id, code from crate`, [view])
  for (const empty of [false, true])
    t.match(await planMigration(registry, { empty }), [{ steps: [], notes: [/view seen has no column more/] }])
})

void t.test('a column that the database computes is there', async (t) => {
  const statements =
    'create table crate (id integer primary key autoincrement, code text, size integer as (length(code)))'
  const registry = await openOn(t, statements, [crate({ code: 'string', size: 'number' })])
  t.match(await planMigration(registry), nothing)
})

void t.test('a column of a foreign key stays when others are dropped, and that is told', async (t) => {
  const statements = `${crates} create table note (id integer primary key autoincrement, crateid integer references crate (id), gone text)`
  const note: ModelDefinition = { name: 'Note', strict: true, properties: crate({}).properties ?? {} }
  const registry = await openOn(t, statements, [note])
  await migrate(registry, { prune: true })
  t.match(await planMigration(registry, { prune: true }), [{ steps: [], notes: [/column crateid of note is kept/] }])
})

void t.test('a default of the table alone is told', async (t) => {
  const statements = `create table crate (id integer primary key autoincrement, code text default 'x', size integer default null)`
  const registry = await openOn(t, statements, [crate({ code: 'string', size: 'number' })])
  t.match(await planMigration(registry), [{ steps: [], notes: [/^the column code of crate has a default/] }])
})

void t.test('columns of other programs that can hold the values are not told of', async (t) => {
  const statements =
    'create table crate (id integer primary key autoincrement, code enum, at time, day localdate, size serial)'
  const registry = await openOn(t, statements, [crate({ code: 'string', at: 'date', day: 'date', size: 'number' })])
  t.match(await planMigration(registry), nothing)
})
