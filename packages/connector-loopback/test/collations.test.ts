import { conditionsOn, defineFixtureModels, filterOf, items } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
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

void t.test('texts are compared as the collation of the column says', { skip: await whyNoServer() }, async (t) => {
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
  const upper = on.is('name', 'eq', 'ANVIL')
  t.match(await collection.find(filterOf({ where: upper })), [{ name: 'Anvil' }])
  t.equal(await collection.count(upper), 1)
  t.equal(await collection.count({ kind: 'nor', conditions: [upper] }), items.length - 1, 'and so is the opposite')
  t.equal(await collection.count(on.among('name', 'inq', ['ANVIL', 'chisel'])), 2)
  t.equal(await collection.count(on.wire('name', 'like', 'anv%')), 1)
  t.equal(await collection.update(upper, { qty: 77 }), 1)
  const { id } = (await collection.find(filterOf({ where: upper })))[0] ?? {}
  t.match(await collection.findById(Number(id)), { name: 'Anvil', qty: 77 })
  t.equal(await collection.delete(upper), 1)
})
