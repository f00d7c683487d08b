import type { AnswerBounds, Collection, Filter, Row } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { conditionsOn, filterOf } from '../conditions.ts'
import type { TestCase } from '../test-case.ts'

const megabyte = 1024 * 1024

/** Bounds whose options have names of their own. */
const within = (rows: number, bytes = 64 * megabyte): AnswerBounds => ({
  rows,
  bytes,
  options: { rows: 'most.rows', bytes: 'most.bytes' }
})

/** Items with the ids 1 to `count`, every second one inactive. */
const items = (count: number, name = 'item'): Row[] =>
  Array.from({ length: count }, (_, at) => ({ name, qty: at, active: at % 2 === 0 }))

/** Shows that a filter is refused, for what, and that the next one is served. */
async function checkRefused(
  t: Test,
  collection: Collection,
  filter: Partial<Filter>,
  exceeded: 'rows' | 'bytes'
): Promise<void> {
  const wanted = { code: 'ANSWER_TOO_LARGE', statusCode: 400, exceeded, message: new RegExp(`"most.${exceeded}"`) }
  await t.rejects(async () => collection.find(filterOf(filter)), wanted)
  t.match(await collection.findById(1), { id: 1 }, 'a lookup afterwards')
  t.match(await collection.find(filterOf({ limit: 1, atMost: within(1) })), [{ id: 1 }], 'a list afterwards')
}

const refused = (exceeded: 'rows' | 'bytes') => ({ code: 'ANSWER_TOO_LARGE', exceeded })

const idsOf = (rows: readonly Row[] | undefined): unknown[] | undefined => rows?.map(({ id }) => id)

/** Items of a megabyte each. */
const largeItems = (count: number, name: string): Row[] =>
  items(count, name).map((row) => ({ ...row, meta: { text: 'z'.repeat(megabyte) } }))

/** Makes the function that gives the ids of the items of the names a, b and none; undefined where includes are read by `find`. */
const relatedTo =
  (collection: Collection) =>
  async (filter: Partial<Filter>): Promise<unknown> => {
    const query = { keys: ['a', 'b', 'none'], property: 'name', filter: filterOf(filter) }
    return (await collection.findRelated?.(query))?.map(idsOf)
  }

/** How much one answer may be. */
export const boundCases: readonly TestCase[] = [
  {
    name: 'as many records as the bound come, whatever the filter says',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items(10))
      const { is, order } = conditionsOn(models.Item)
      const find = async (filter: Partial<Filter>, rows: number): Promise<unknown> =>
        idsOf(await collections.Item.find(filterOf({ ...filter, atMost: within(rows) })))
      t.same(await find({}, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      t.same(await find({ skip: 7 }, 3), [8, 9, 10], 'without those that are skipped')
      t.same(await find({ limit: 50, skip: 7 }, 3), [8, 9, 10], 'a limit beyond the bound')
      t.same(await find({ limit: 3 }, 3), [1, 2, 3], 'a limit within the bound, of more records')
      t.same(await find({ where: is('active', 'eq', true) }, 5), [1, 3, 5, 7, 9], 'those that match alone')
      t.same(await find({ order: order('-qty'), limit: 2 }, 2), [10, 9])
      t.same(await find({}, Infinity), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'any number')
    }
  },
  {
    name: 'one record more than the bound is refused, and the next read is served',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items(10))
      const { is, order, near } = conditionsOn(models.Item)
      await checkRefused(t, collections.Item, { atMost: within(9) }, 'rows')
      await checkRefused(t, collections.Item, { limit: 5, atMost: within(4) }, 'rows')
      await checkRefused(t, collections.Item, { skip: 5, atMost: within(4) }, 'rows')
      await checkRefused(t, collections.Item, { where: is('active', 'eq', true), atMost: within(4) }, 'rows')
      await checkRefused(t, collections.Item, { order: order('-qty'), atMost: within(3) }, 'rows')
      await collections.Item.update(undefined, { place: { lat: 1, lng: 2 } })
      await checkRefused(t, collections.Item, { where: near('place', { lat: 1, lng: 2 }), atMost: within(9) }, 'rows')
    }
  },
  {
    name: 'more bytes than the bound are refused, and the next read is served',
    run: async (t, { collections }) => {
      await collections.Item.insert(items(20, 'x'.repeat(megabyte / 4)))
      const atMost = within(1000, 2 * megabyte)
      await checkRefused(t, collections.Item, { atMost }, 'bytes')
      await checkRefused(t, collections.Item, { atMost: within(Infinity, 2 * megabyte) }, 'bytes')
      const few = await collections.Item.find(filterOf({ limit: 4, atMost }))
      t.same(idsOf(few), [1, 2, 3, 4], 'fewer of them come')
      t.equal((await collections.Item.find(filterOf({ atMost: within(20) }))).length, 20, 'a higher bound')
    }
  },
  {
    name: 'one record that is larger than the bound is refused',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'small' }, { name: 'y'.repeat(4 * megabyte) }])
      await checkRefused(t, collections.Item, { atMost: within(10, megabyte) }, 'bytes')
      const [last] = await collections.Item.find(filterOf({ skip: 1, atMost: within(10) }))
      t.equal(String(last?.['name']).length, 4 * megabyte)
    }
  },
  {
    name: 'the records of many keys are bounded together',
    run: async (t, { collections: { Item } }) => {
      await Item.insert(['a', 'b', 'c'].flatMap((name) => items(4, name)))
      const related = relatedTo(Item)
      if ((await related({})) === undefined) return t.comment('it resolves no includes by itself')
      t.same(await related({ atMost: within(8) }), [[1, 2, 3, 4], [5, 6, 7, 8], []])
      t.same(await related({ limit: 2, atMost: within(4) }), [[1, 2], [5, 6], []])
      await t.rejects(related({ atMost: within(7) }), refused('rows'))
      await t.rejects(related({ limit: 2, atMost: within(3) }), refused('rows'))
      await t.rejects(related({ skip: 1, atMost: within(5) }), refused('rows'))
    }
  },
  {
    name: 'the bytes of the records of many keys are bounded together',
    run: async (t, { collections: { Item } }) => {
      await Item.insert(['a', 'b'].flatMap((name) => largeItems(2, name)))
      const related = relatedTo(Item)
      if ((await related({})) === undefined) return t.comment('it resolves no includes by itself')
      t.same(await related({ limit: 1, atMost: within(4, 4 * megabyte) }), [[1], [3], []])
      await t.rejects(related({ atMost: within(4, 2 * megabyte) }), refused('bytes'))
      t.equal(await Item.count(undefined), 4)
    }
  }
]
