import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { conditionsOn, filterOf } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { carelessModule } from './careless-driver.ts'

// Of a connector that nobody knows, unique values are looked up before they are written: no other write of the process may come
// between, and none may wait for ever.

const properties = {
  id: { type: 'number', id: true, generated: true },
  code: { type: 'string', index: { unique: true } },
  note: 'string'
} as const

async function open(t: Test, settings: object = {}) {
  const registry = new ModelRegistry()
  const module = carelessModule()
  const connector = loopback(module, { name: 'db', ...settings })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  const collectionOf = (name: string): Collection => {
    registry.define({ name, forceId: false, properties })
    registry.attach(name, 'db')
    const { collection } = registry.typeOf(name)
    if (collection === undefined) throw new Error(`${name} is not attached`)
    return collection
  }
  const [A, B] = [collectionOf('A'), collectionOf('B')]
  await connector.connect()
  return { driver: module.driver, A, B, on: conditionsOn(registry.typeOf('A')) }
}

void t.test('an id that is there twice in one list of new records is refused', async (t) => {
  const { A } = await open(t)
  await t.rejects(async () => A.insert([{ id: 7 }, { id: 7 }]), { code: 'DUPLICATE_KEY' })
  t.same(await A.find(filterOf({})), [], 'nothing is stored')
})

void t.test('a call that is lost ends with a code, and holds up no other', async (t) => {
  const { driver, A, B, on } = await open(t, { callTimeout: 50 })
  await A.insert([{ note: 'x' }])
  const update = driver.updateAttributes.bind(driver)
  const asked: string[] = []
  driver.updateAttributes = (model, id, data, options, callback) => {
    asked.push(model)
    if (asked.length > 1) update(model, id, data, options, callback)
  }
  const lost = A.update(on.is('note', 'eq', 'x'), { note: 'y' })
  const next = A.update(on.is('note', 'eq', 'x'), { note: 'z' })
  t.equal((await B.insert([{ note: 'b' }])).length, 1, 'another model does not wait')
  await t.rejects(async () => lost, { code: 'CONNECTOR_TIMEOUT', statusCode: 503 })
  t.equal(await next, 1, 'the next one is done')
})

void t.test('a new record without a unique value waits for nothing', async (t) => {
  const { driver, A, on } = await open(t, { callTimeout: 1000 })
  await A.insert([{ note: 'x' }])
  const update = driver.updateAttributes.bind(driver)
  const held: (() => void)[] = []
  driver.updateAttributes = (model, id, data, options, callback) =>
    void held.push(() => update(model, id, data, options, callback))
  const waiting = A.update(on.is('note', 'eq', 'x'), { note: 'y' })
  const release = await until(() => held[0], 'the update to reach the driver')
  t.equal((await A.insert([{ note: 'b' }])).length, 1)
  release()
  await waiting
})
