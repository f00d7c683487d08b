import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'
import t, { type Test } from 'tap'
import { onMongodb } from './on-mongodb.ts'
import { noDifference, tellApart } from './tell-apart.ts'

async function onPostgresql(t: Test): Promise<() => Promise<Connector>> {
  const databases = [await createTestDatabase(), await createTestDatabase()]
  t.teardown(async () => {
    for (const database of databases) await database.drop()
  })
  let turn = 0
  return async () => {
    const { url = '' } = databases[turn++ % 2] ?? {}
    await runOn(url, 'drop schema public cascade; create schema public')
    return postgresql({ url })
  }
}

for (const [name, open, runs, time] of [
  ['PostgreSQL', onPostgresql, 25, 10_000],
  ['MongoDB', onMongodb, 400, 60_000]
] as const)
  void t.test(`what a caller may not see makes no difference to what ${name} answers`, async (t) => {
    t.equal(await tellApart({ runs, requests: 25, connector: await open(t), time }), noDifference)
  })
