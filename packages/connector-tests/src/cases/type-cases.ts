import type { Test } from 'tap'
import type { Row } from '@modelwire/core'
import { conditionsOn, filterOf } from '../conditions.ts'
import type { CaseContext, TestCase } from '../test-case.ts'

const everything: Row = {
  name: 'żółć 😀 "quoted" \\ \n\t',
  price: -12.345_678_9,
  qty: 9_007_199_254_740_991,
  active: false,
  added: new Date('1969-12-31T23:59:59.999Z'),
  tags: ['a', '', 'ü'],
  sizes: [0, -1, 1.5],
  origin: { country: 'SE', zone: 1, address: { city: 'Malmö' } },
  meta: { deep: [{ list: [1, 'x', null, { b: false }] }], empty: {}, none: [] },
  place: { lat: -33.9, lng: 151.2 },
  picture: Buffer.from([0, 1, 127, 128, 255])
}

/** Which values come back as they were. */
export const typeCases: readonly TestCase[] = [
  {
    name: 'values of every type come back as they were',
    run: async (t, context) => {
      const row = await storeAndRead(context, everything)
      for (const [name, value] of Object.entries(everything)) t.strictSame(row[name], value, name)
      t.ok(row['added'] instanceof Date)
      t.ok(Buffer.isBuffer(row['picture']))
    }
  },
  {
    name: 'values of every type come back from findById, insert and upsert alike',
    run: async (t, { collections }) => {
      const [inserted] = await collections.Item.insert([{ ...everything }])
      t.match(inserted, everything)
      t.match(await collections.Item.findById(1), everything)
      const { row } = await collections.Item.upsert({ id: 1, qty: 1 })
      t.match(row, { ...everything, qty: 1 })
    }
  },
  {
    name: 'empty values are not null',
    run: async (t, context) => {
      const empty = { name: '', price: 0, active: false, tags: [], meta: {}, picture: Buffer.alloc(0) }
      const row = await storeAndRead(context, empty)
      for (const [name, value] of Object.entries(empty)) t.strictSame(row[name], value, name)
    }
  },
  {
    name: 'null stays null',
    run: async (t, context) => {
      const row = await storeAndRead(context, {
        name: null,
        price: null,
        added: null,
        tags: null,
        origin: null,
        meta: null
      })
      for (const name of ['name', 'price', 'added', 'tags', 'origin', 'meta']) t.equal(row[name], null, name)
    }
  },
  {
    name: 'what is absent is told from null',
    run: async (t, context) => {
      const row = await storeAndRead(context, { name: null })
      t.equal(row['name'], null)
      t.equal(row['price'], undefined)
    }
  },
  {
    name: 'rows have the declared properties in declared order',
    run: async (t, context) => {
      const row = await storeAndRead(context, { qty: 1, price: 2, name: 'a' })
      const given = Object.keys(row).filter((name) => (row[name] ?? null) !== null)
      t.same(given, ['id', 'name', 'price', 'qty'])
      t.same(
        Object.keys(row),
        context.models.Item.properties.map(({ name }) => name)
      )
    }
  },
  {
    name: 'undeclared properties are stored after the declared ones',
    without: { capability: 'storesUndeclared', run: dropsUndeclared },
    run: async (t, { models, collections }) => {
      await collections.Note.insert([{ text: 'x', extra: { list: [1, { a: null }] }, flag: true }])
      const [row] = await collections.Note.find(filterOf({}))
      t.strictSame(row, { id: 1, text: 'x', extra: { list: [1, { a: null }] }, flag: true })
      t.match(await collections.Note.upsert({ id: 1, more: 2 }), { row: { text: 'x', more: 2 } })
      t.equal(await collections.Note.count(conditionsOn(models.Note).is('more', 'eq', 2)), 1)
    }
  },
  {
    name: 'undeclared properties are compared loosely',
    without: { capability: 'storesUndeclared', run: comparesNoUndeclared },
    run: async (t, { models, collections }) => {
      await collections.Note.insert([{ n: 1 }, { n: '1' }, { n: 2 }, { n: 10 }])
      const { is, among } = conditionsOn(models.Note)
      const ids = async (where: ReturnType<typeof is>): Promise<unknown[]> =>
        (await collections.Note.find(filterOf({ where }))).map(({ id }) => id)
      t.same(await ids(is('n', 'eq', 1)), [1, 2])
      t.same(await ids(is('n', 'eq', '1')), [1, 2])
      t.same(await ids(is('n', 'gt', '1')), [3, 4])
      t.same(await ids(among('n', 'inq', ['1', '10'])), [1, 2, 4])
    }
  }
]

async function dropsUndeclared(t: Test, { collections }: CaseContext): Promise<void> {
  await collections.Note.insert([{ text: 'x', extra: 1 }])
  t.strictSame(await collections.Note.find(filterOf({})), [{ id: 1 }])
  t.strictSame(await collections.Note.upsert({ id: 1, more: 2 }), { row: { id: 1 }, created: false })
}

async function comparesNoUndeclared(t: Test, { models, collections }: CaseContext): Promise<void> {
  await collections.Note.insert([{ text: 'x' }])
  const { is } = conditionsOn(models.Note)
  t.equal(await collections.Note.count(is('n', 'eq', 1)), 0)
  t.equal(await collections.Note.count(is('n', 'gt', '1')), 0)
}

async function storeAndRead({ collections }: CaseContext, row: Row): Promise<Row> {
  await collections.Item.insert([{ ...row }])
  const [stored] = await collections.Item.find(filterOf({}))
  return stored ?? {}
}
