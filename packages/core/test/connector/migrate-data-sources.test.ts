import { ModelRegistry } from '@modelwire/core'
import { type MigrateOptions, allOperations, type Collection, type Connector } from '@modelwire/core/connector'
import t from 'tap'
import { migrate, planMigration } from '#src/connector/migrate-data-sources.ts'

const step = { kind: 'createTable', model: 'A', description: 'a', statement: 'create a', destructive: false } as const

/** A connector that says what it would do, and remembers what it was asked. */
function fakeConnector(asked: MigrateOptions[], hasTables: boolean): Connector {
  const plan = { steps: [step], notes: [] }
  return {
    name: 'fake',
    capabilities: { operations: allOperations, generatedIdType: 'number', storesUndeclared: true, transactions: false },
    connect: async () => {},
    disconnect: async () => {},
    ping: async () => {},
    // No operation is called.
    collection: () => ({}) as Collection,
    migrate: async (_models, options) => {
      asked.push(options)
      await options.onStep?.(step, 1, 1)
      return plan
    },
    ...(hasTables && { planMigration: async () => plan })
  }
}

function makeRegistry(): { registry: ModelRegistry; asked: MigrateOptions[] } {
  const registry = new ModelRegistry()
  const asked: MigrateOptions[] = []
  registry.addDataSource('db', fakeConnector(asked, true))
  registry.addDataSource('memory', fakeConnector(asked, false))
  registry.define({ name: 'A' })
  registry.define({ name: 'B' })
  registry.attach('A', 'db')
  registry.attach('B', 'memory')
  return { registry, asked }
}

void t.test('data sources with tables are planned and migrated, others are left out', async (t) => {
  const { registry, asked } = makeRegistry()
  t.same(await planMigration(registry), [{ dataSource: 'db', steps: [step], notes: [] }])
  const told: unknown[] = []
  const done = await migrate(registry, { empty: true, onStep: (_step, progress) => void told.push(progress) })
  t.same(done, [{ dataSource: 'db', steps: [step], notes: [] }])
  t.same(told, [{ dataSource: 'db', position: 1, total: 1 }])
  t.match(asked, [{ empty: true }])
})

void t.test('a data source without a plan may do nothing once plans are given', async (t) => {
  const { registry, asked } = makeRegistry()
  await migrate(registry, { plans: [] })
  t.same(asked[0]?.plan, { steps: [], notes: [] })
})

void t.test('names of data sources and models are looked up', async (t) => {
  const { registry } = makeRegistry()
  t.same(await planMigration(registry, { models: ['B'] }), [])
  await t.rejects(planMigration(registry, { dataSources: ['memory'] }), { code: 'NOT_IMPLEMENTED' })
  await t.rejects(migrate(registry, { models: ['C'] }), { code: 'MODEL_UNKNOWN' })
})
