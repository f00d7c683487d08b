import type { Filter, Row } from '@modelwire/core/connector'
import { ObjectId } from 'mongodb'
import t from 'tap'
import { openModels } from '../open-models.ts'

const number = { kind: 'number' } as const
const filters: readonly Filter[] = [
  { order: [], skip: 0 },
  { order: [], skip: 2, limit: 3 },
  { order: [], skip: 18 },
  { order: [{ path: ['year'], type: number, descending: true }], skip: 0, limit: 5 },
  {
    where: { kind: 'test', path: ['year'], type: number, test: 'range', bounds: [{ is: '>', value: 2003 }] },
    order: [],
    skip: 0,
    limit: 2
  },
  { where: { kind: 'never' }, order: [], skip: 0 }
]

const books = { name: 'Book', properties: { authorId: 'number', year: 'number', tags: ['string'] } }

void t.test('gives the rows of each key as one query per key would', async (t) => {
  const { collection } = await openModels(t, [books])
  const Book = collection('Book')
  await Book.insert(Array.from({ length: 200 }, (_, at): Row => ({ authorId: at % 10, year: 2000 + (at % 7) })))
  for (const filter of filters) {
    const lists = await Book.findRelated?.({ keys: [3, 99, 0], property: 'authorId', filter })
    const one = async (value: number) => {
      const key = { kind: 'test', path: ['authorId'], type: number, test: 'equals', value } as const
      const where = filter.where === undefined ? key : ({ kind: 'and', conditions: [key, filter.where] } as const)
      return Book.find({ ...filter, where })
    }
    t.strictSame(lists, [await one(3), await one(99), await one(0)], JSON.stringify(filter))
  }
  t.equal(await Book.findRelated?.({ keys: ['x'], property: 'tags', filter: { order: [], skip: 0 } }), undefined)
})

void t.test('an ObjectId and its text are one key', async (t) => {
  const { collection, db } = await openModels(t, [{ name: 'Note', properties: { ownerId: 'string', n: 'number' } }])
  const [owner, other] = [new ObjectId(), new ObjectId()]
  await db.collection('Note').insertMany([
    { ownerId: owner, n: 1 },
    { ownerId: owner.toHexString(), n: 2 },
    { ownerId: owner, n: 3 },
    { ownerId: other, n: 4 },
    { ownerId: [owner], n: 5 }
  ])
  const order = [{ path: ['n'], type: number, descending: false }]
  const keys = [other.toHexString(), owner.toHexString()]
  const find = async (filter: Partial<Filter>) => {
    const lists = await collection('Note').findRelated?.({
      keys,
      property: 'ownerId',
      filter: { order, skip: 0, ...filter }
    })
    return lists?.map((list) => list.map(({ n }) => n))
  }
  t.same(await find({}), [[4], [1, 2, 3]])
  t.same(await find({ limit: 2 }), [[4], [1, 2]])
  t.equal(await find({ skip: 1 }), undefined, 'asked of find')
})

void t.test('keys that are said to be ObjectIds are asked for as such alone', async (t) => {
  const definition = {
    name: 'Note',
    properties: { ownerId: { type: 'string', mongodb: { dataType: 'ObjectID' } }, n: 'number' }
  } as const
  const { collection, db } = await openModels(t, [definition])
  const owner = new ObjectId()
  await db.collection('Note').insertMany([
    { ownerId: owner, n: 1 },
    { ownerId: owner.toHexString(), n: 2 },
    { ownerId: owner, n: 3 }
  ])
  const order = [{ path: ['n'], type: number, descending: false }]
  const related = { keys: [owner.toHexString()], property: 'ownerId' }
  t.match(await collection('Note').findRelated?.({ ...related, filter: { order, skip: 0 } }), [[{ n: 1 }, { n: 3 }]])
  t.match(await collection('Note').findRelated?.({ ...related, filter: { order, skip: 1 } }), [[{ n: 3 }]])
})
