import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import t, { type Test } from 'tap'

/** Notes what it is called with, as the function of Citus of this name and these parameters would be. */
const noting = [
  'create table distributed (relation text, by_column text)',
  `create function create_distributed_table(table_name regclass, distribution_column text) returns void language sql as
   'insert into distributed values (table_name::text, distribution_column)'`
]

const tenantOrder = (distributeBy: string) => ({
  name: 'TenantOrder',
  strict: true,
  postgresql: { table: "tenant's Orders", distributeBy },
  properties: {
    id: { type: 'number', id: true, generated: true },
    tenantId: { type: 'string', required: true },
    code: { type: 'string', unique: true }
  }
})

async function open(t: Test, settings: Readonly<Record<string, unknown>>, distributeBy = 'tenantId') {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const registry = new ModelRegistry()
  const { connector } = registry.addDataSource('db', postgresql({ url, ...settings }))
  registry.define(tenantOrder(distributeBy))
  registry.attach('TenantOrder', 'db')
  t.teardown(() => registry.disconnect())
  return { url, registry, connector, model: registry.typeOf('TenantOrder') }
}

void t.test('a new table is distributed by the column that its model names, which its key holds', async (t) => {
  const { url, registry, connector, model } = await open(t, { distributed: true })
  await runOn(url, ...noting)
  const plan = await connector.migrate?.([model], { empty: false })
  t.match(plan?.notes, [/unique index .* does not contain the column tenantid/])
  const [called] = await runOn(url, 'select * from distributed')
  t.same(called?.rows, [{ relation: `"tenant's Orders"`, by_column: 'tenantid' }])
  const [key] = await runOn(
    url,
    "select pg_get_constraintdef(oid) as key from pg_constraint where contype = 'p' and conrelid::regclass::text like '%Orders%'"
  )
  t.same(key?.rows, [{ key: 'PRIMARY KEY (tenantid, id)' }])
  const made = await registry.get('TenantOrder').create([{ tenantId: 'a' }, { tenantId: 'b' }])
  t.same(
    made.map(({ id }) => id),
    [1, 2]
  )
  const again = await connector.planMigration?.([model], { empty: false })
  t.same([again?.steps, again?.notes], [[], []], 'it is distributed once')
})

void t.test('without a cluster nothing is distributed', async (t) => {
  const { url, connector, model } = await open(t, {})
  await runOn(url, ...noting)
  await connector.migrate?.([model], { empty: false })
  const [called] = await runOn(url, 'select * from distributed')
  t.same(called?.rows, [])
})

void t.test('a column that the model does not have is refused at the start', async (t) => {
  await t.rejects(open(t, { distributed: true }, 'nothing'), { code: 'MODEL_DEFINITION_INVALID' })
})
