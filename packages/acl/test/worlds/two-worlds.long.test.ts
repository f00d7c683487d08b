import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'
import { noDifference, tellApart } from './tell-apart.ts'

void t.test('what a caller may not see makes no difference to what PostgreSQL answers', async (t) => {
  const databases = [await createTestDatabase(), await createTestDatabase()]
  t.teardown(async () => {
    for (const database of databases) await database.drop()
  })
  let turn = 0
  const connector = async () => {
    const { url = '' } = databases[turn++ % 2] ?? {}
    await runOn(url, 'drop schema public cascade; create schema public')
    return postgresql({ url })
  }
  t.equal(await tellApart({ runs: 25, requests: 25, connector, time: 10_000 }), noDifference)
})
