import { mysql } from '@modelwire/connector-mysql'
import { wideTextTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

const columns: readonly (readonly [type: string, other: string])[] = [
  ['varchar(20) character set utf8mb4 collate utf8mb4_bin', 'lamp '],
  ['varchar(20) character set utf8mb4 collate utf8mb4_general_ci', 'Lámp'],
  ['varchar(20) character set latin1', 'LAMP ']
]

for (const [type, other] of columns)
  void t.test(
    `columns that are ${type} are compared by their characters where that decides access`,
    { skip: await whyNoServer() },
    async (t) => {
      const { url, drop } = await createTestDatabase()
      t.teardown(() => drop())
      await runOn(url, `create table wide (id ${type} primary key, label ${type})`)
      await runOn(url, `create table thing (id integer primary key, wideid ${type}, key (wideid))`)
      await wideTextTests(t, { connector: mysql({ url }), one: 'lamp', other })
    }
  )
