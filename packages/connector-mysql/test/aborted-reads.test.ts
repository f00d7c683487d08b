import { mysql } from '@modelwire/connector-mysql'
import { abortTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

void t.test('reads for which nobody waits', { skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  // A server notices in its sleep that a connection is gone, but not while it works.
  const work = Array.from({ length: 9 }, (_, at) => `tens as t${at}`).join(', ')
  const busy = (name: string): string =>
    `select 1 from information_schema.processlist where db = database() and id <> connection_id() and info like '%\`${name}\`%'`
  await abortTests(
    t,
    {
      name: 'mysql',
      mappingKey: 'mysql',
      upsert: { patch: 1, insert: 1 },
      create: (settings) => mysql({ url, ...settings })
    },
    {
      makeSlow: async (name) => {
        const rows = Array.from({ length: 10 }, (_, at) => `(${at})`).join()
        await runOn(url, 'create table tens (n int)', `insert into tens values ${rows}`)
        await runOn(url, `create view ${name} as select sum(t0.n + t1.n * t2.n) as id from ${work}`)
      },
      countBusy: async (name) => (await runOn(url, busy(name))).length
    }
  )
})
