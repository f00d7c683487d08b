import { sqlite } from '@modelwire/connector-sqlite'
import { wideTextTests } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'

for (const [type, other] of [
  ['text collate nocase', 'LAMP'],
  ['text collate rtrim', 'lamp ']
] as const)
  void t.test(`columns that are ${type} are compared by their characters where that decides access`, async (t) => {
    const connector = sqlite({ file: ':memory:' })
    await connector.connect()
    await connector.execute?.(`create table wide (id ${type} primary key, label ${type})`)
    await connector.execute?.(`create table thing (id integer primary key, wideid ${type})`)
    await wideTextTests(t, { connector, one: 'lamp', other })
  })

void t.test('an examination says what is not certain: SQLite does not tell the collation of a column', async (t) => {
  const connector = sqlite({ file: ':memory:' })
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  t.teardown(() => registry.disconnect())
  registry.define({ name: 'Lamp', strict: true, properties: { id: { type: 'number', id: true }, maker: 'string' } })
  registry.attach('Lamp', 'db')
  await connector.connect()
  await connector.execute?.('create table Lamp (id integer primary key, maker text, model text collate nocase)')
  const facts = await connector.examine?.([registry.typeOf('Lamp')])
  t.match(facts, [{ property: 'maker', reason: /^the column lamp.maker \(its table names a collation\) may treat/ }])
})
