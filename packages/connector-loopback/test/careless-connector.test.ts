import { memory } from '@modelwire/connector-memory'
import type { Row } from '@modelwire/core/connector'
import { conditionsOn, defineFixtureModels, filterOf, items } from '@modelwire/connector-tests'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { carelessModule } from './careless-driver.ts'
import { anyCondition } from './any-condition.ts'

// A restriction of access control is a part of the condition. A connector that takes no notice of conditions must not give,
// change or remove what is beyond it.

async function open(t: Test) {
  const { registry, models } = defineFixtureModels()
  const module = carelessModule()
  const connector = loopback(module, { name: 'db' })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const { Item } = models
  if (Item.collection === undefined) throw new Error('Item is not attached')
  await Item.collection.insert(items.map((item) => ({ ...item })))
  return { collection: Item.collection, on: conditionsOn(Item), driver: module.driver, name: connector.name }
}

const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id)

void t.test('only what matches is found, in order, whatever the connector gives', async (t) => {
  const { collection, on } = await open(t)
  t.same(idsOf(await collection.find(filterOf({ where: on.is('price', 'eq', 12) }))), [3, 6])
  t.same(idsOf(await collection.find(filterOf({ order: on.order('-qty'), skip: 1, limit: 2 }))), [3, 6])
  t.same(idsOf(await collection.find(filterOf({ limit: 2 }))), [1, 2])
  t.equal(await collection.count(on.is('price', 'eq', 12)), 2)
  t.match(await collection.findById(3), { id: 3, name: 'Chisel' })
  t.equal(await collection.findById(99), undefined)
})

void t.test('only what matches is changed and removed', async (t) => {
  const { collection, on, driver } = await open(t)
  t.equal(await collection.update(on.is('price', 'eq', 12), { qty: 77 }), 2)
  t.same(idsOf(await collection.find(filterOf({ where: on.is('qty', 'eq', 77) }))), [3, 6])
  t.equal(await collection.delete(on.is('qty', 'eq', 77)), 2)
  t.equal(await collection.delete({ kind: 'never' }), 0)
  t.same(idsOf(await collection.find(filterOf({}))), [1, 2, 4, 5, 7])
  t.same(driver.asked.filter((each) => each !== 'all').toSorted(), ['destroy 3', 'destroy 6', 'update 3', 'update 6'])
})

void t.test('any condition finds what it finds in memory', async (t) => {
  const { collection, on } = await open(t)
  const { models } = defineFixtureModels()
  const kept = memory().collection(models.Item)
  await kept.insert(items.map((item) => ({ ...item })))
  await fc.assert(
    fc.asyncProperty(anyCondition(on), async (where) => {
      const [own, wanted] = [await collection.find(filterOf({ where })), await kept.find(filterOf({ where }))]
      if (idsOf(own).join() !== idsOf(wanted).join()) throw new Error(JSON.stringify(where))
    }),
    { numRuns: runs(200) }
  )
  t.pass('for 200 conditions')
})
