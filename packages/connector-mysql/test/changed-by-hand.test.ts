import { migrate, type ModelDefinition, ModelRegistry, planMigration } from '@modelwire/core'
import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'

const skip = await whyNoServer()

const crate = (properties: object, more: object = {}): ModelDefinition => ({
  name: 'Crate',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, ...properties },
  ...more
})

const crates =
  'create table Crate (id int auto_increment primary key, code varchar(20)) default charset = utf8mb4 collate = utf8mb4_bin'

interface Opened {
  readonly registry: ModelRegistry
  readonly url: string
}

/** A registry on a database of its own, whose tables `statements` made. */
async function openOn(t: Test, statements: readonly string[], models: readonly ModelDefinition[]): Promise<Opened> {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  for (const statement of statements) await runOn(url, statement)
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url }))
  for (const model of models) {
    registry.define(model)
    registry.attach(model.name, 'db')
  }
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return { registry, url }
}

const nothing = [{ steps: [], notes: [] }]

void t.test('a longer text keeps default, comment and collation of its column', { skip }, async (t) => {
  const column = `varchar(20) character set latin1 collate latin1_german1_ci not null default 'q''x' comment 'it''s'`
  const longer = crate({ code: { type: 'string', length: 50, required: true } })
  const { registry, url } = await openOn(t, [crates, `alter table Crate modify code ${column}`], [longer])
  await migrate(registry)
  const shown = JSON.stringify(await runOn(url, 'show create table Crate'))
  t.match(shown, /varchar\(50\) CHARACTER SET latin1 COLLATE latin1_german1_ci NOT NULL DEFAULT 'q''x' COMMENT 'it''s'/)
  t.match(await planMigration(registry), [{ steps: [], notes: [/compares strings by latin1_german1_ci/] }])
})

void t.test('what somebody took from a table is told', { skip }, async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['alter table Crate modify id int not null', /column id of Crate does not generate numbers/],
    ['alter table Crate modify id int not null, drop primary key', /no primary key/],
    [`alter table Crate alter code set default 'x'`, /column code of Crate has a default, but Crate does not/],
    ['alter table Crate add kept int not null', /column kept of Crate .* no model has it: new records are refused/],
    ['alter table Crate modify code varchar(10)', /column code of Crate is varchar\(10\), but Crate sets no length/]
  ]
  for (const [change, note] of cases) {
    const { registry } = await openOn(
      t,
      [crates, 'alter table Crate modify code longtext', change],
      [crate({ code: 'string' })]
    )
    const [plan] = await planMigration(registry)
    t.same(plan?.steps, [], change)
    t.ok(
      plan?.notes.some((each) => note.test(each)),
      `${change}: ${plan?.notes.join()}`
    )
  }
})

void t.test(
  'an enumeration is what a model calls so, and a full-text index stands for no other',
  { skip },
  async (t) => {
    const model = crate({
      code: { type: 'string', length: 20, index: true },
      mood: { type: 'string', mysql: { dataType: 'enum' } }
    })
    const changes = [`alter table Crate add mood enum('sad', 'ok')`, 'create fulltext index words on Crate (code)']
    const { registry } = await openOn(t, [crates, ...changes], [model])
    await migrate(registry)
    t.match(await planMigration(registry), nothing)
  }
)

void t.test('the digits of an unsigned number stand before its sign', { skip }, async (t) => {
  const typed = (mapping: object): object => ({ type: 'number', mysql: mapping })
  const price = typed({ dataType: 'decimal unsigned' })
  const model = crate({ price, rate: typed({ dataType: 'DECIMAL UNSIGNED', dataPrecision: 9, dataScale: 2 }) })
  const { registry, url } = await openOn(t, [], [model])
  await migrate(registry)
  const shown = JSON.stringify(await runOn(url, 'show create table Crate'))
  t.match(shown, /decimal\(65,30\) unsigned.*decimal\(9,2\) unsigned/)
  t.match(await planMigration(registry), nothing)
})

void t.test('a view is never changed, and says what it lacks', { skip }, async (t) => {
  const view = crate(
    { code: { type: 'string', required: true, index: true }, more: 'number' },
    { mysql: { table: 'seen' } }
  )
  const { registry } = await openOn(t, [crates, 'create view seen as select id, code from Crate'], [view])
  for (const empty of [false, true])
    t.match(await planMigration(registry, { empty }), [{ steps: [], notes: [/view seen has no column more/] }])
})

void t.test('the index that a foreign key left behind keeps its name', { skip }, async (t) => {
  const owner: ModelDefinition = crate({}, { name: 'Owner' })
  const thing = (foreignKey: string): ModelDefinition => ({
    name: 'Thing',
    strict: true,
    properties: { id: { type: 'number', id: true }, a: 'number', b: 'number' },
    foreignKeys: { key: { entity: 'Owner', entityKey: 'id', foreignKey } }
  })
  const statements = [
    'create table Owner (id int auto_increment primary key)',
    'create table Thing (id double primary key, a int, b int, constraint `key` foreign key (a) references Owner (id))'
  ]
  const { registry } = await openOn(t, statements, [owner, thing('b')])
  await migrate(registry)
  t.match(await planMigration(registry), nothing)
})
