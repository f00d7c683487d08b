import { type Conditions, conditionsOn, defineFixtureModels, filterOf, items } from '@modelwire/connector-tests'
import type { Collection, Condition } from '@modelwire/core/connector'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

/** A table whose texts are compared without regard to case, as those that MySQL makes by itself. */
const table = `
  create table Item (
    id int auto_increment primary key, name longtext, code varchar(255) unique, price double, qty bigint,
    active tinyint(1), added datetime(3), tags longtext, sizes longtext, origin longtext, meta longtext, place point,
    picture longblob
  ) character set utf8mb4 collate utf8mb4_general_ci
`

const ofCaller = (condition: Condition): Condition =>
  condition.kind === 'test' ? { ...condition, byCollation: true } : condition

async function testExact(t: Test, collection: Collection, on: Conditions): Promise<void> {
  for (const exact of [
    on.is('name', 'eq', 'ANVIL'),
    on.among('name', 'inq', ['ANVIL']),
    on.wire('name', 'like', 'anv%')
  ]) {
    t.strictSame(await collection.find(filterOf({ where: exact })), [])
    t.equal(await collection.count(exact), 0)
    t.equal(await collection.count({ kind: 'nor', conditions: [exact] }), items.length)
    t.equal(await collection.update(exact, { qty: 1 }), 0)
    t.equal(await collection.delete(exact), 0)
  }
  const both = {
    kind: 'and',
    conditions: [ofCaller(on.is('name', 'eq', 'anvil')), on.is('name', 'eq', 'Anvil')]
  } as const
  t.equal(await collection.count(both), 1, 'each part as its author means it')
}

void t.test(
  'texts of callers are compared as the collation of the column says, others by their characters',
  { skip: await whyNoServer() },
  async (t) => {
    const { url, drop } = await createTestDatabase()
    await runOn(url, table)
    const { registry, models } = defineFixtureModels()
    const connector = loopback(loadModule('loopback-connector-mysql'), { name: 'db', url })
    t.teardown(async () => {
      await connector.disconnect()
      await drop()
    })
    registry.addDataSource('db', connector)
    registry.attach('Item', 'db')
    await connector.connect()
    const { collection } = models.Item
    if (collection === undefined) throw new Error('Item is not attached')
    await collection.insert(items.map((item) => ({ ...item })))
    const on = conditionsOn(models.Item)
    const upper = ofCaller(on.is('name', 'eq', 'ANVIL'))
    t.match(await collection.find(filterOf({ where: upper })), [{ name: 'Anvil' }])
    t.equal(await collection.count(upper), 1)
    t.equal(await collection.count({ kind: 'nor', conditions: [upper] }), items.length - 1, 'and so is the opposite')
    t.equal(await collection.count(ofCaller(on.among('name', 'inq', ['ANVIL', 'chisel']))), 2)
    t.equal(await collection.count(ofCaller(on.wire('name', 'like', 'anv%'))), 1)
    await testExact(t, collection, on)
    t.equal(await collection.update(upper, { qty: 77 }), 1)
    const { id } = (await collection.find(filterOf({ where: upper })))[0] ?? {}
    t.match(await collection.findById(Number(id)), { name: 'Anvil', qty: 77 })
    t.equal(await collection.delete(upper), 1)
  }
)
