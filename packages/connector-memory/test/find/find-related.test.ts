import { ModelRegistry } from '@modelwire/core'
import type { Filter, Row } from '@modelwire/core/connector'
import { memory } from '@modelwire/connector-memory'
import t from 'tap'

async function makeCollection(index: boolean) {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Book', properties: { authorId: { type: 'number', index }, year: 'number' } })
  registry.attach('Book', 'db')
  const { collection } = registry.typeOf('Book')
  if (collection === undefined) throw new Error('not attached')
  await collection.insert(Array.from({ length: 200 }, (_, at): Row => ({ authorId: at % 10, year: 2000 + (at % 7) })))
  return collection
}

const number = { kind: 'number' } as const
const filters: readonly Filter[] = [
  { order: [], skip: 0 },
  { order: [], skip: 2, limit: 3 },
  { order: [{ path: ['year'], type: number, descending: true }], skip: 0, limit: 5 },
  {
    where: { kind: 'test', path: ['year'], type: number, test: 'range', bounds: [{ is: '>', value: 2003 }] },
    order: [],
    skip: 0
  },
  { where: { kind: 'never' }, order: [], skip: 0 }
]

void t.test('gives the rows of each key as one query per key would', async (t) => {
  const collection = await makeCollection(true)
  for (const filter of filters) {
    const lists = await collection.findRelated?.({ keys: [3, 99, 0], property: 'authorId', filter })
    const one = async (value: number) => {
      const key = { kind: 'test', path: ['authorId'], type: number, test: 'equals', value } as const
      const where = filter.where === undefined ? key : ({ kind: 'and', conditions: [key, filter.where] } as const)
      return collection.find({ ...filter, where })
    }
    t.strictSame(lists, [await one(3), await one(99), await one(0)], JSON.stringify(filter))
  }
})

void t.test('finds rows by their ids', async (t) => {
  const collection = await makeCollection(false)
  const lists = await collection.findRelated?.({ keys: [5, 999], property: 'id', filter: { order: [], skip: 0 } })
  t.match(lists, [[{ id: 5 }], []])
})

void t.test('leaves what no index tells to find', async (t) => {
  const collection = await makeCollection(false)
  const filter = { order: [], skip: 0 }
  t.equal(await collection.findRelated?.({ keys: [1], property: 'authorId', filter }), undefined)
  const indexed = await makeCollection(true)
  await indexed.insert([{ authorId: 'text', year: 1 }])
  const strangers = await indexed.findRelated?.({ keys: [1], property: 'authorId', filter })
  t.equal(strangers, undefined, 'a key of another type')
  const order = [{ path: ['id'], type: number, descending: true }]
  t.equal(await collection.findRelated?.({ keys: [1], property: 'id', filter: { order, skip: 0 } }), undefined)
})
