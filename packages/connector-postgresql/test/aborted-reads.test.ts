import { postgresql } from '@modelwire/connector-postgresql'
import { abortTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('reads for which nobody waits', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const busy = (name: string): string =>
    `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like '%"${name}"%'`
  await abortTests(
    t,
    {
      name: 'postgresql',
      mappingKey: 'postgresql',
      upsert: { patch: 1, insert: 1 },
      create: (settings) => postgresql({ url, ...settings })
    },
    {
      makeSlow: async (name) => void (await runOn(url, `create view ${name} as select 1 as id from pg_sleep(10)`)),
      countBusy: async (name) => (await runOn(url, busy(name)))[0]?.rows.length ?? 0
    }
  )
})
