import { migrate, type ModelDefinition, ModelRegistry, planMigration } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'

const shelf = (more: object): ModelDefinition => ({
  name: 'Shelf',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, code: { type: 'string', ...more } }
})

async function open(t: Test, url: string, model: ModelDefinition): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url }))
  registry.define(model)
  registry.attach(model.name, 'db')
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return registry
}

async function openWithRecords(t: Test): Promise<string> {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const registry = await open(t, url, shelf({}))
  await migrate(registry)
  await registry.get('Shelf').create([{ code: 'a' }, { code: 'a' }])
  return url
}

void t.test('an index of a table with records is made while others write', async (t) => {
  const url = await openWithRecords(t)
  const registry = await open(t, url, shelf({ index: true }))
  const [plan] = await planMigration(registry)
  t.match(plan?.steps, [{ kind: 'createIndex', statement: /^create index concurrently / }])
  const told: string[] = []
  await migrate(registry, { onStep: ({ kind }: MigrationStep) => void told.push(kind) })
  t.same(told, ['createIndex'])
  t.match(await planMigration(registry), [{ steps: [] }])
})

void t.test('processes that make indexes at the same time make each of them once', async (t) => {
  const url = await openWithRecords(t)
  const registries = await Promise.all([1, 2, 3].map(async () => open(t, url, shelf({ index: true }))))
  await Promise.all(registries.map(async (registry) => migrate(registry)))
  const [result] = await runOn(
    url,
    "select indexname from pg_indexes where tablename = 'shelf' and indexname like '%code%'"
  )
  t.equal(result?.rows.length, 1)
})

void t.test('an index that broke off is made anew', async (t) => {
  const url = await openWithRecords(t)
  // It fails over the twins, and leaves an index behind that is not valid.
  await runOn(url, 'create unique index concurrently shelf_code_idx on shelf (code)').catch(() => {})
  const registry = await open(t, url, shelf({ index: true }))
  await migrate(registry)
  const valid = "select indisvalid from pg_index where indexrelid = 'shelf_code_idx'::regclass"
  t.match((await runOn(url, valid))[0]?.rows, [{ indisvalid: true }])
})
