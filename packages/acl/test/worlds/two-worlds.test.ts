import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { followApart } from './follow-apart.ts'
import { onMongodb } from './on-mongodb.ts'
import { onSqlite } from './on-sql.ts'
import { noDifference, tellApart } from './tell-apart.ts'

for (const { name, open, runs } of [
  { name: 'memory', open: async () => async () => memory(), runs: 40 },
  { name: 'MongoDB', open: onMongodb, runs: 12 }
]) {
  void t.test(
    `whatever a caller asks for or changes in ${name}, what it may not see makes no difference`,
    async (t) => {
      t.equal(await tellApart({ runs, requests: 25, time: 7000, connector: await open(t) }), noDifference)
    }
  )

  void t.test(`nor does it to a caller who follows changes in ${name}`, async (t) => {
    t.equal(await followApart({ runs, requests: 12, time: 5000, connector: await open(t) }), noDifference)
  })
}

void t.test('nor to one who follows changes that SQLite logs, or comes back to them', async (t) => {
  const connector = await onSqlite(t)
  t.equal(await followApart({ runs: 12, requests: 12, logs: true, connector, time: 6000 }), noDifference)
})
