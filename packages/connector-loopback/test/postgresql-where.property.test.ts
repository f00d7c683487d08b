import { memory } from '@modelwire/connector-memory'
import { conditionsOn, defineFixtureModels, filterOf, items } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import * as fc from 'fast-check'
import t from 'tap'
import { loopback } from '#src/loopback.ts'
import { anyCondition } from './any-condition.ts'
import { loadModule } from './load-module.ts'

const table = `
  create table item (
    id serial primary key, name text collate "C", code text, price double precision, qty bigint, active boolean,
    added timestamptz, tags text, sizes text, origin text, meta text, place point, picture bytea
  )
`

void t.test('any condition finds, counts and changes in PostgreSQL what it does in memory', async (t) => {
  const { url, drop } = await createTestDatabase()
  await runOn(url, table)
  const { registry, models } = defineFixtureModels()
  const connector = loopback(loadModule('loopback-connector-postgresql'), { name: 'db', url, like: 'part' })
  t.teardown(async () => {
    await connector.disconnect()
    await drop()
  })
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const [stored, kept] = [models.Item.collection, memory().collection(models.Item)]
  if (stored === undefined) throw new Error('Item is not attached')
  for (const each of [stored, kept]) await each.insert(items.map((item) => ({ ...item })))
  let qty = 1000
  await fc.assert(
    fc.asyncProperty(anyCondition(conditionsOn(models.Item)), async (where) => {
      const seen = await Promise.all(
        [stored, kept].map(async (each) => {
          const ids = (await each.find(filterOf({ where }))).map(({ id }) => id)
          return [ids, await each.count(where), await each.update(where, { qty })].join('|')
        })
      )
      qty += 1
      if (seen[0] !== seen[1]) throw new Error(`${seen.join(' and ')}: ${JSON.stringify(where)}`)
    }),
    { numRuns: 100 }
  )
  t.match(
    await stored.find(filterOf({})),
    (await kept.find(filterOf({}))).map(({ id, qty: changed }) => ({ id, qty: changed }))
  )
})
