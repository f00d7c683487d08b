import { postgresql } from '@modelwire/connector-postgresql'
import { wideTextTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

const ignoring = "create collation lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
const columns: readonly (readonly [type: string, prepare: string, other: string])[] = [
  ['citext', 'create extension citext', 'LAMP'],
  ['word', 'create extension citext; create domain lax_word as citext; create domain word as lax_word', 'LAMP'],
  ['text collate lax', ignoring, 'Lámp'],
  ['varchar(20) collate lax', ignoring, 'LAMP']
]

for (const [type, prepare, other] of columns)
  void t.test(`columns that are ${type} are compared by their characters where that decides access`, async (t) => {
    const { url, drop } = await createTestDatabase()
    t.teardown(() => drop())
    await runOn(url, prepare)
    await runOn(url, `create table wide (id ${type} primary key, label ${type})`)
    await runOn(url, `create table thing (id integer primary key, wideid ${type})`)
    await wideTextTests(t, { connector: postgresql({ url }), one: 'lamp', other })
  })
