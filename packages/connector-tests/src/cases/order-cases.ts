import type { Condition } from '@modelwire/core/connector'
import { all, any, conditionsOn, filterOf } from '../conditions.ts'
import { items } from '../fixtures.ts'
import type { TestCase } from '../test-case.ts'

/** Order names with the ids in that order. */
const orders: Readonly<Record<string, readonly (readonly [names: readonly string[], ids: readonly number[]])[]>> = {
  'rows come by id unless another order is asked for': [
    [[], [1, 2, 3, 4, 5, 6, 7]],
    [['-id'], [7, 6, 5, 4, 3, 2, 1]]
  ],
  'order sorts by a property, equal rows by id in both directions': [
    [['qty'], [7, 2, 1, 4, 6, 3, 5]],
    [['-qty'], [5, 3, 6, 4, 1, 2, 7]]
  ],
  'absent values come first, or last where the order descends': [
    [['name'], [7, 1, 3, 4, 5, 6, 2]],
    [['-name'], [2, 6, 5, 4, 3, 1, 7]]
  ],
  'null is zero in an order': [
    [['price'], [4, 7, 5, 3, 6, 2, 1]],
    [['-price'], [1, 2, 3, 6, 5, 4, 7]],
    [['added'], [5, 4, 7, 1, 2, 3, 6]],
    [
      ['active', 'qty'],
      [2, 6, 5, 7, 1, 4, 3]
    ]
  ],
  'order follows a path': [[['-origin.zone'], [2, 3, 1, 4, 5, 6, 7]]]
}

const orderTables: readonly TestCase[] = Object.entries(orders).map(([name, table]) => ({
  name,
  run: async (t, { models, collections }) => {
    await collections.Item.insert(items.map((item) => ({ ...item })))
    const { order } = conditionsOn(models.Item)
    for (const [names, ids] of table) {
      const rows = await collections.Item.find(filterOf({ order: order(...names) }))
      t.same(
        rows.map(({ id }) => id),
        ids,
        names.join(', ') || 'no order'
      )
    }
  }
}))

/** In which order rows come, and which part of them. */
export const orderCases: readonly TestCase[] = [
  ...orderTables,
  {
    name: 'order sorts by several properties',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items.map((item) => ({ ...item })))
      const { order, is } = conditionsOn(models.Item)
      const ids = async (...names: string[]): Promise<unknown[]> => {
        const rows = await collections.Item.find(filterOf({ where: is('price', 'gt', 1), order: order(...names) }))
        return rows.map(({ id }) => id)
      }
      t.same(await ids('-price', 'name'), [1, 2, 3, 6, 5])
      t.same(await ids('-price', '-name'), [1, 2, 6, 3, 5])
    }
  },
  {
    name: 'limit and skip cut a page out of the order',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items.map((item) => ({ ...item })))
      const { order, is } = conditionsOn(models.Item)
      const page = async (skip: number, limit?: number): Promise<unknown[]> => {
        const rows = await collections.Item.find(filterOf({ order: order('-qty'), skip, limit }))
        return rows.map(({ id }) => id)
      }
      t.same(await page(0, 2), [5, 3])
      t.same(await page(2, 3), [6, 4, 1])
      t.same(await page(5), [2, 7])
      t.same(await page(7, 2), [])
      const where = all(is('active', 'eq', true), is('qty', 'gt', 0))
      const rows = await collections.Item.find(filterOf({ where, skip: 1, limit: 1 }))
      t.same(
        rows.map(({ id }) => id),
        [3],
        'by id, after the condition'
      )
    }
  },
  {
    name: 'text ids order as text',
    run: async (t, { models, collections }) => {
      await collections.Coupon.insert([
        { code: 'A', off: 1 },
        { code: '9', off: 1 },
        { code: '10', off: 2 }
      ])
      const codes = async (...names: string[]): Promise<unknown[]> => {
        const rows = await collections.Coupon.find(filterOf({ order: conditionsOn(models.Coupon).order(...names) }))
        return rows.map(({ code }) => code)
      }
      t.same(await codes(), ['10', '9', 'A'])
      t.same(await codes('-code'), ['A', '9', '10'])
      t.same(await codes('-off'), ['10', '9', 'A'], 'equal rows by id')
    }
  },
  {
    name: 'near orders by distance, whatever the order says',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items.map((item) => ({ ...item })))
      const { near, is, order } = conditionsOn(models.Item)
      const place = near('place', { lat: 59.9, lng: 10.7 })
      const ids = async (where: Condition, skip: number, limit?: number): Promise<unknown[]> => {
        const rows = await collections.Item.find(filterOf({ where, order: order('name'), skip, limit }))
        return rows.map(({ id }) => id)
      }
      t.same(await ids(place, 0), [2, 3, 4, 1])
      t.same(await ids(place, 1, 2), [3, 4])
      const either = any(is('id', 'eq', 5), place)
      t.same(
        (await ids(either, 0, 4)).toSorted((a, b) => Number(a) - Number(b)),
        [1, 2, 3, 4],
        'within or, those without a point last'
      )
      t.same(await ids(either, 0), [2, 3, 4, 1, 5], 'within or')
    }
  }
]
