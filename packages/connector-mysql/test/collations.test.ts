import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { ModelRegistry, planMigration } from '@modelwire/core'
import t, { type Test } from 'tap'
import { mysqlSchema } from '#src/mysql-schema.ts'
import { timeZone } from '#src/mysql-zone.ts'

const skip = await whyNoServer()
const old = 'varchar(255) character set utf8mb4 collate utf8mb4_bin'

/** Shops, and goods with a foreign key to them, in a database where these tables were made before. */
async function open(t: Test, ...tables: readonly string[]) {
  const { url, drop } = await createTestDatabase()
  if (tables.length > 0) await runOn(url, ...tables)
  const registry = new ModelRegistry()
  t.teardown(async () => {
    await registry.disconnect()
    await drop()
  })
  const { connector } = registry.addDataSource('db', mysql({ url }))
  const id = { type: 'string', id: true, generated: false } as const
  registry.define({ name: 'Shop', strict: true, properties: { id } })
  const foreignKeys = { shop: { name: 'shop', entity: 'Shop', foreignKey: 'shopId' } }
  registry.define({ name: 'Good', strict: true, properties: { id, shopId: 'string' }, foreignKeys })
  const models = ['Shop', 'Good'].map((name) => {
    registry.attach(name, 'db')
    return registry.typeOf(name)
  })
  await registry.connect()
  const collations = async (): Promise<Record<string, unknown>> => {
    const rows = (await connector.execute?.(
      `select concat(table_name, '.', column_name) as name, collation_name as collation from information_schema.columns where table_schema = database()`
    )) as { name: string; collation: string }[]
    return Object.fromEntries(rows.map(({ name, collation }) => [name, collation.replace('0900', 'nopad')]))
  }
  return { registry, collations, migrate: async () => connector.migrate?.(models, { empty: false }) }
}

const exact = 'utf8mb4_nopad_bin'

void t.test('new tables take only the same characters for equal', { skip }, async (t) => {
  const { registry, collations, migrate } = await open(t)
  await migrate()
  t.strictSame(await collations(), { 'Shop.id': exact, 'Good.id': exact, 'Good.shopId': exact })
  await registry.get('Shop').create([{ id: 'q' }, { id: 'q ' }, { id: 'Q' }])
  t.equal(await registry.get('Shop').count(), 3)
  t.match(await planMigration(registry), [{ steps: [], notes: [] }])
})

void t.test('the key of a new table has the collation of an older one that it leads to', { skip }, async (t) => {
  const { registry, collations, migrate } = await open(t, `create table Shop (id ${old} primary key)`)
  await migrate()
  t.strictSame(await collations(), { 'Shop.id': 'utf8mb4_bin', 'Good.id': exact, 'Good.shopId': 'utf8mb4_bin' })
  const [plan] = await planMigration(registry)
  t.strictSame(plan?.steps, [])
  t.match(plan?.notes, [
    /Shop compares strings by utf8mb4_bin \(id\)/,
    /Good compares strings by utf8mb4_bin \(shopId\)/
  ])
})

void t.test('a new key of an older table has the collation of a new one that it leads to', { skip }, async (t) => {
  const { collations, migrate } = await open(t, `create table Good (id ${old} primary key) collate utf8mb4_bin`)
  await migrate()
  t.strictSame(await collations(), { 'Shop.id': exact, 'Good.id': 'utf8mb4_bin', 'Good.shopId': exact })
})

void t.test('a server without a collation that tells all texts apart makes no tables', (t) => {
  const { tableOptions } = mysqlSchema(timeZone('Z'))
  t.throws(() => tableOptions?.read([]), { code: 'NOT_IMPLEMENTED', message: /utf8mb4_0900_bin/ })
  const [mine, other] = [{ name: 'utf8mb4_nopad_bin' }, { name: 'utf8mb4_0900_bin' }]
  t.match(tableOptions?.read([other]), { collation: 'utf8mb4_0900_bin' })
  t.match(tableOptions?.read([other, mine]), { collation: 'utf8mb4_nopad_bin' }, 'newer MariaDB knows both')
  t.end()
})
