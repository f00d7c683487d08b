import { sqlite } from '@modelwire/connector-sqlite'
import { wideTextTests } from '@modelwire/connector-tests'
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
