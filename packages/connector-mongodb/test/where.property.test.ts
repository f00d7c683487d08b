import { memory } from '@modelwire/connector-memory'
import type { Collection, Condition } from '@modelwire/core/connector'
import { conditionsOn, defineFixtureModels, filterOf, items } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'
import { anyCondition } from './any-condition.ts'

const more = [
  { name: null, tags: null, meta: { list: [] }, sizes: [null, 5], origin: null },
  { name: 'null', tags: ['null', 'Iron'], meta: { list: [{ k: null }, {}, 'x'] }, origin: { zone: null } },
  { name: '', tags: [], meta: { a: [1, 'x'], b: [] }, sizes: [1, 9] },
  { meta: { a: [], list: { k: 'x' } }, origin: { address: null } }
]

void t.test('any condition finds and changes in MongoDB what it does in memory', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const { registry, models } = defineFixtureModels()
  const connector = mongodb({ url: database.url })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const stored = models.Item.collection
  if (stored === undefined) throw new Error('Item is not attached')
  const kept = memory().collection(models.Item)
  for (const each of [stored, kept]) await each.insert([...items, ...more].map((row) => structuredClone(row)))
  const see = async (each: Collection, where: Condition, qty: number): Promise<string> => {
    const found = await each.find(filterOf({ where }))
    const ids = found.map(({ id }) => Number(id)).sort((one, other) => one - other)
    return `${ids.join()} ${await each.count(where)} ${await each.update(where, { qty })}`
  }
  let qty = 1000
  await fc.assert(
    fc.asyncProperty(anyCondition(conditionsOn(models.Item)), async (where) => {
      qty += 1
      const [own, wanted] = [await see(stored, where, qty), await see(kept, where, qty)]
      if (own !== wanted) throw new Error(`${own} and ${wanted}: ${JSON.stringify(where)}`)
    }),
    { numRuns: runs(500) }
  )
  t.pass('for 500 conditions')
})
