import type { Row } from '@modelwire/core/connector'
import { all, conditionsOn, filterOf } from '../conditions.ts'
import { items } from '../fixtures.ts'
import type { TestCase } from '../test-case.ts'

const absentId = 99

const named = (value: string) => ({ kind: 'test', path: ['name'], test: 'equals', value }) as const

/** What each method of a collection does to records. */
export const recordCases: readonly TestCase[] = [
  {
    name: 'insert stores rows in order and gives them ids that count up',
    run: async (t, { collections }) => {
      const rows = await collections.Item.insert([{ name: 'a' }, { name: 'b' }])
      t.match(rows, [
        { name: 'a', id: 1 },
        { name: 'b', id: 2 }
      ])
      t.match(await collections.Item.insert([{ name: 'c' }]), [{ id: 3 }])
      t.match(await collections.Item.find(filterOf({})), [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
      t.same(await collections.Item.insert([]), [])
    }
  },
  {
    name: 'number ids count on from the highest one ever seen',
    run: async (t, { models, collections }) => {
      await collections.Item.insert([{ id: 10, name: 'a' }])
      t.match(await collections.Item.insert([{ name: 'b' }]), [{ id: 11 }])
      await collections.Item.delete(conditionsOn(models.Item).is('id', 'eq', 11))
      t.match(await collections.Item.insert([{ name: 'c' }]), [{ id: 12 }])
    }
  },
  {
    name: 'text ids that the connector makes are distinct',
    run: async (t, { collections }) => {
      const rows = await collections.Session.insert([{ user: 'a' }, { user: 'b' }, { user: 'c' }])
      for (const { id } of rows) t.type(id, 'string')
      t.equal(new Set(rows.map(({ id }) => id)).size, 3)
      t.match(await collections.Session.findById(String(rows[1]?.['id'])), { user: 'b' })
    }
  },
  {
    name: 'findById finds one row or none',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a' }, { name: 'b' }])
      await collections.Coupon.insert([{ code: '1', off: 5 }])
      t.match(await collections.Item.findById(2), { id: 2, name: 'b' })
      t.equal(await collections.Item.findById(absentId), undefined)
      t.match(await collections.Coupon.findById('1'), { code: '1', off: 5 })
      t.equal(await collections.Coupon.findById('01'), undefined, 'text ids are not numbers')
    }
  },
  {
    name: 'count counts all rows or those that match',
    run: async (t, { models, collections }) => {
      t.equal(await collections.Item.count(undefined), 0)
      await collections.Item.insert(items.map((item) => ({ ...item })))
      t.equal(await collections.Item.count(undefined), 7)
      t.equal(await collections.Item.count(conditionsOn(models.Item).is('price', 'eq', 12)), 2)
    }
  },
  {
    name: 'update patches every row that matches and counts them',
    run: async (t, { models, collections }) => {
      await collections.Item.insert([
        { name: 'a', qty: 1 },
        { name: 'b', qty: 2 },
        { name: 'c', qty: 3 }
      ])
      t.equal(await collections.Item.update(conditionsOn(models.Item).is('qty', 'gt', 1), { qty: 0, active: true }), 2)
      t.match(await collections.Item.find(filterOf({})), [
        { name: 'a', qty: 1 },
        { name: 'b', qty: 0, active: true },
        { name: 'c', qty: 0, active: true }
      ])
      t.equal(await collections.Item.update(undefined, { qty: 9 }), 3)
      t.equal(await collections.Item.update(conditionsOn(models.Item).is('qty', 'eq', 1), { qty: 2 }), 0)
    }
  },
  {
    name: 'a patch replaces objects and lists whole and leaves alone what it does not name',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a', origin: { country: 'SE', zone: 1 }, tags: ['x', 'y'], qty: 5 }])
      await collections.Item.update(undefined, { origin: { zone: 2 }, tags: ['z'], qty: undefined, price: null })
      const row = await collections.Item.findById(1)
      t.match(row, { name: 'a', origin: { zone: 2 }, tags: ['z'], qty: 5 })
      t.equal(readPart(row, 'origin', 'country') ?? null, null)
      t.equal(row?.['price'] ?? null, null)
    }
  },
  {
    name: 'rows that were handed out do not change later',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a', qty: 1 }])
      const [row] = await collections.Item.find(filterOf({}))
      await collections.Item.update(undefined, { qty: 2 })
      t.equal(row?.['qty'], 1)
      t.match(await collections.Item.findById(1), { qty: 2 })
    }
  },
  {
    name: 'upsert patches the row that has the id, or inserts one',
    run: async (t, { collections }) => {
      await collections.Coupon.insert([{ code: 'A', off: 1 }])
      t.match(await collections.Coupon.upsert({ code: 'A', off: 2 }), { row: { code: 'A', off: 2 }, created: false })
      t.match(await collections.Coupon.upsert({ code: 'B', off: 3 }), { row: { code: 'B', off: 3 }, created: true })
      t.match((await collections.Coupon.upsert({ code: 'C' }, { off: 9 })).row, { off: 9 }, 'a default')
      t.match(await collections.Item.upsert({ name: 'new' }), { row: { id: 1, name: 'new' }, created: true })
      t.match(await collections.Item.upsert({ id: 1, qty: 4 }), { row: { id: 1, name: 'new', qty: 4 }, created: false })
      t.match(await collections.Item.upsert({ id: 1, qty: 5 }, { name: 'other' }), { row: { name: 'new', qty: 5 } })
      t.match(await collections.Item.findById(1), { name: 'new', qty: 5 }, 'what is stored stays')
      t.equal(await collections.Coupon.count(undefined), 3)
    }
  },
  {
    name: 'replace puts another row in the place of one',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a', qty: 1 }])
      t.equal(await collections.Item.replace(1, { id: 1, name: 'b' }), true)
      const row = await collections.Item.findById(1)
      t.match(row, { id: 1, name: 'b' })
      t.equal(row?.['qty'] ?? null, null)
      t.equal(await collections.Item.replace(1, { id: 1, name: 'x' }, named('a')), false, 'it does not match')
      t.match(await collections.Item.findById(1), { name: 'b' })
      t.equal(await collections.Item.replace(1, { id: 1, name: 'x' }, named('b')), true)
      t.equal(await collections.Item.replace(1, { id: 1, name: 'b' }, named('x')), true)
      t.equal(await collections.Item.replace(absentId, { id: absentId, name: 'c' }), false)
      t.equal(await collections.Item.count(undefined), 1)
    }
  },
  {
    name: 'delete removes every row that matches and counts them',
    run: async (t, { models, collections }) => {
      await collections.Item.insert(items.map((item) => ({ ...item })))
      const { is } = conditionsOn(models.Item)
      t.equal(await collections.Item.delete(all(is('price', 'eq', 12), is('qty', 'gt', 0))), 2)
      t.equal(await collections.Item.delete(is('id', 'eq', absentId)), 0)
      t.same(
        (await collections.Item.find(filterOf({}))).map(({ id }) => id),
        [1, 2, 4, 5, 7]
      )
      t.equal(await collections.Item.delete(undefined), 5)
      t.equal(await collections.Item.count(undefined), 0)
    }
  },
  {
    name: 'models do not share records',
    run: async (t, { collections }) => {
      await collections.Item.insert([{ name: 'a' }])
      t.equal(await collections.Note.count(undefined), 0)
      t.equal(await collections.Note.findById(1), undefined)
    }
  }
]

function readPart(row: Row | undefined, name: string, part: string): unknown {
  const value = row?.[name]
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
}
