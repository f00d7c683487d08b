import { memory } from '@modelwire/connector-memory'
import { whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
import { followApart } from './follow-apart.ts'
import { onMongodb } from './on-mongodb.ts'
import { onMysql, onPostgresql, onSqlite } from './on-sql.ts'
import { noDifference, tellApart } from './tell-apart.ts'

for (const { name, logs, open, runs, time } of [
  { name: 'memory', logs: false, open: async () => async () => memory(), runs: 40, time: 10_000 },
  { name: 'PostgreSQL', logs: true, open: onPostgresql, runs: 25, time: 10_000 },
  { name: 'MongoDB', logs: false, open: onMongodb, runs: 400, time: 60_000 }
])
  void t.test(`what a caller may not see makes no difference to what ${name} answers`, async (t) => {
    t.equal(await tellApart({ runs, requests: 25, logs, connector: await open(t), time }), noDifference)
  })

for (const { name, skip, open } of [
  { name: 'SQLite', skip: false, open: onSqlite },
  { name: 'PostgreSQL', skip: false, open: onPostgresql },
  { name: 'MySQL or MariaDB', skip: await whyNoServer(), open: onMysql }
])
  void t.test(`nor to what the log of changes of ${name} tells, live and afterwards`, { skip }, async (t) => {
    const connector = await open(t)
    t.equal(await followApart({ runs: 60, requests: 12, logs: true, connector, time: 30_000 }), noDifference)
  })

for (const { name, open, runs } of [
  { name: 'memory', open: async () => async () => memory(), runs: 40 },
  { name: 'MongoDB', open: onMongodb, runs: 12 }
])
  void t.test(`nor to a caller who follows changes in ${name} live`, async (t) => {
    t.equal(await followApart({ runs, requests: 12, time: 5000, connector: await open(t) }), noDifference)
  })
