import { mysql } from '@modelwire/connector-mysql'
import { abortTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createConnection } from 'mysql2/promise'
import t from 'tap'

const others = 'from information_schema.processlist where db = database() and id <> connection_id()'

void t.test('reads for which nobody waits', { skip: await whyNoServer(), timeout: 120_000 }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  // Sleep would return when it is killed, as if it were over.
  const work = Array.from({ length: 12 }, (_, at) => `tens as t${at}`).join(', ')
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
      run: (...statements) => runOn(url, ...statements),
      lock: async (_t, name) => {
        const connection = await createConnection(url)
        await connection.query(`lock tables ${name} write`)
        return () => connection.end()
      },
      countBusy: async (name) => (await runOn(url, `select 1 ${others} and info like '%\`${name}\`%'`)).length,
      listConnections: async () => (await runOn(url, `select id ${others} order by id`)).map(({ id }) => id)
    }
  )
})
