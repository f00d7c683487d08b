import type { Filter, Row } from '@modelwire/core/connector'
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
      const present = Object.keys(row).filter((name) => (row[name] ?? null) !== null)
      t.same(present, ['id', 'name', 'price', 'qty'])
      t.same(
        Object.keys(row),
        context.models.Item.properties.map(({ name }) => name)
      )
    }
  },
  {
    name: 'undeclared properties are stored after the declared ones',
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
  },
  {
    name: 'undeclared properties are patched one by one, and replaced as a whole',
    run: async (t, { collections: { Note } }) => {
      await Note.insert([{ a: { b: 1, c: 2 }, n: null, t: 'x' }, { t: 'y' }])
      t.equal(await Note.update(undefined, { a: { d: 3 }, n: 'now', gone: null }), 2)
      const [first, second] = await Note.find(filterOf({}))
      t.strictSame(first, { id: 1, a: { d: 3 }, n: 'now', t: 'x', gone: null })
      t.strictSame({ ...second }, { id: 2, t: 'y', a: { d: 3 }, n: 'now', gone: null })
      await Note.replace(1, { id: 1, only: [true, 1.5, 'é'] })
      t.strictSame(await Note.findById(1), { id: 1, only: [true, 1.5, 'é'] })
      await Note.replace(1, { id: 1 })
      t.strictSame(await Note.findById(1), { id: 1 })
    }
  },
  {
    name: 'undeclared properties are found by paths and put in order',
    run: async (t, { models, collections: { Note } }) => {
      await Note.insert([
        { n: 10, o: { p: 'x' } },
        { n: 9, list: [1, 2] },
        { m: 'b', 2020: 'year' },
        { m: 'a', n: null }
      ])
      const { is, wire, order } = conditionsOn(models.Note)
      const ids = async (filter: Partial<Filter>): Promise<unknown[]> =>
        (await Note.find(filterOf(filter))).map(({ id }) => id)
      t.same(await ids({ where: is('o.p', 'eq', 'x') }), [1])
      t.same(await ids({ where: is('list', 'eq', 2) }), [2])
      t.same(await ids({ where: is('2020', 'eq', 'year') }), [3])
      t.same(await ids({ where: is('m', 'eq', null) }), [1, 2])
      t.same(await ids({ where: is('m', 'neq', 'a') }), [1, 2, 3])
      t.same(await ids({ where: wire('m', 'like', 'a') }), [4])
      t.same(await ids({ order: order('n'), where: is('n', 'gt', 0) }), [2, 1])
      t.same(await ids({ order: order('-m'), where: is('m', 'neq', null) }), [3, 4])
      t.match(await Note.find(filterOf({ fields: new Set(['n']), where: is('id', 'eq', 1) })), [{ n: 10 }])
    }
  },
  {
    name: 'undeclared names and values may hold any sign',
    run: async (t, { collections: { Note } }) => {
      const hostile = { 'a"b': 1, "c'd": "'; --", 'e\\f': '"', 'g.h': '$', '`i': 'ü😀', $: null, 'j k': '\\u0041' }
      await Note.insert([{ ...hostile }])
      t.strictSame(await Note.findById(1), { id: 1, ...hostile })
      t.equal(await Note.update(undefined, { ...hostile, 'a"b': 2 }), 1)
      t.strictSame({ ...(await Note.findById(1)) }, { id: 1, ...hostile, 'a"b': 2 })
    }
  }
]

async function storeAndRead({ collections }: CaseContext, row: Row): Promise<Row> {
  await collections.Item.insert([{ ...row }])
  const [stored] = await collections.Item.find(filterOf({}))
  return stored ?? {}
}
