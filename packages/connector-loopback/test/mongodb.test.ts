import { randomBytes } from 'node:crypto'
import { memory } from '@modelwire/connector-memory'
import { ModelRegistry } from '@modelwire/core'
import type { Collection, Connector, Row } from '@modelwire/core/connector'
import { type Conditions, conditionsOn, filterOf, items } from '@modelwire/connector-tests'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { anyCondition } from './any-condition.ts'
import { loadModule } from './load-module.ts'

const url = process.env['MODELWIRE_MONGODB_URL']
const skip = url === undefined ? 'needs MongoDB: at MODELWIRE_MONGODB_URL' : false

const item = {
  name: 'Item',
  properties: {
    id: { type: 'string', id: true, generated: true },
    name: 'string',
    code: 'string',
    price: 'number',
    qty: 'number',
    active: 'boolean',
    added: 'date',
    tags: ['string'],
    sizes: ['number'],
    origin: { country: 'string', zone: 'number', address: { city: 'string' } },
    meta: 'object',
    place: 'geopoint'
  }
} as const

interface Opened {
  readonly connector: Connector
  readonly stored: Collection
  readonly kept: Collection
  readonly on: Conditions
}

async function open(t: Test): Promise<Opened> {
  const registry = new ModelRegistry()
  registry.define(item)
  const address = new URL(url ?? '')
  address.pathname = `/modelwire_test_${randomBytes(6).toString('hex')}`
  const connector = loopback(loadModule('loopback-connector-mongodb'), { name: 'db', url: address.href })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  const Item = registry.typeOf('Item')
  if (Item.collection === undefined) throw new Error('Item is not attached')
  return { connector, stored: Item.collection, kept: memory().collection(Item), on: conditionsOn(Item) }
}

const codesOf = (rows: readonly Row[]): string => rows.map(({ code }) => String(code)).join()

void t.test('any condition finds and changes in MongoDB what it does in memory', { skip }, async (t) => {
  const { stored, kept, on } = await open(t)
  for (const each of [stored, kept]) await each.insert(items.map((row, at) => ({ ...row, code: `c${at}` })))
  let qty = 1000
  await fc.assert(
    fc.asyncProperty(anyCondition(on), async (where) => {
      qty += 1
      const see = async (each: Collection): Promise<string> => {
        const found = await each.find(filterOf({ where, order: on.order('code') }))
        return `${codesOf(found)} ${await each.update(where, { qty })}`
      }
      const [own, wanted] = [await see(stored), await see(kept)]
      if (own !== wanted) throw new Error(`${own} and ${wanted}: ${JSON.stringify(where)}`)
    }),
    { numRuns: 100 }
  )
  t.pass('for 100 conditions')
})

void t.test('records have the texts of their ids, whole values, and undeclared properties', { skip }, async (t) => {
  const { connector, stored, on } = await open(t)
  t.match(connector.capabilities, { generatedIdType: 'string', transactions: false, atomicity: 'process' })
  const [first, second] = await stored.insert([{ ...items[0] }, { ...items[1], extra: { list: [1] } }])
  const ids = [String(first?.['id']), String(second?.['id'])] as const
  t.match(ids[0], /^[\da-f]{24}$/)
  t.match(await stored.findById(ids[0]), items[0])
  t.match(await stored.findById(ids[1]), { extra: { list: [1] } })
  t.equal(await stored.findById('5f0000000000000000000000'), undefined)
  t.equal(await stored.findById('abc'), undefined)
  t.match(await stored.find(filterOf({ where: on.among('id', 'inq', [ids[1]]) })), [{ id: ids[1] }])
  t.match(await stored.find(filterOf({ where: on.is('id', 'neq', ids[1]) })), [{ id: ids[0] }])
  t.match(await stored.upsert({ id: ids[0], name: 'changed' }), {
    created: false,
    row: { name: 'changed', price: 100 }
  })
  t.match(await stored.upsert({ id: '5f0000000000000000000001', name: 'new' }), { created: true, row: { name: 'new' } })
  t.equal(await stored.replace(ids[0], { id: ids[0], name: 'whole' }, on.is('name', 'eq', 'other')), false)
  t.equal(await stored.replace(ids[0], { id: ids[0], name: 'whole' }), true)
  t.match(await stored.findById(ids[0]), { name: 'whole', price: undefined })
  await t.rejects(async () => stored.insert([{ id: ids[0] }]), { code: 'DUPLICATE_KEY' })
  t.equal(await stored.delete(on.is('name', 'eq', 'whole')), 1)
  t.type(Reflect.get(connector.scriptConnector as object, 'collection'), 'function')
})
