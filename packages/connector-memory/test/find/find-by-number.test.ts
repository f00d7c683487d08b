import { isDeepStrictEqual } from 'node:util'
import { filterOf, testWith, type ValueOperator } from '@modelwire/connector-tests'
import {
  compileOrder,
  compileCondition,
  type Collection,
  type Condition,
  type Filter,
  type OrderClause,
  type Row
} from '@modelwire/core/connector'
import * as fc from 'fast-check'
import t from 'tap'
import { openMemory } from '../fixtures/open-memory.ts'

// No property has an index. The tables have several times as many rows as are looked at at once.

const kinds = { price: 'number', added: 'date', active: 'boolean' } as const
type Name = keyof typeof kinds

async function openItems(t: Parameters<typeof openMemory>[0]): Promise<Collection> {
  const properties = { id: { type: 'number', id: true }, ...kinds, name: 'string' } as const
  const { collection } = await openMemory(t, [{ name: 'Item', properties }])
  return collection('Item')
}

/** Also what the declared type does not allow, as old files may hold it. */
const strange = fc.constantFrom(null, undefined, 'text', '3', NaN, -0, [4])
const values: Readonly<Record<Name, fc.Arbitrary<unknown>>> = {
  price: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -20, max: 20 }) }, fc.constantFrom(2.5, Infinity), strange),
  added: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }).map((time) => new Date(time)) }, strange),
  active: fc.oneof({ weight: 6, arbitrary: fc.boolean() }, strange)
}
const someRow = fc.record(values)
const typeOf = (name: Name): { kind: (typeof kinds)[Name] } => ({ kind: kinds[name] })

const someTest = fc.constantFrom<Name>('price', 'added', 'active').chain((name) =>
  fc
    .oneof(
      fc.tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), values[name]),
      fc.tuple(fc.constant('between'), fc.tuple(values[name], values[name]))
    )
    .map(([operator, value]): Condition => ({
      kind: 'test',
      path: [name],
      type: typeOf(name),
      ...testWith(operator as ValueOperator, value)
    }))
)
const where: fc.Arbitrary<Condition | undefined> = fc.oneof(
  fc.constant(undefined),
  someTest,
  fc.array(someTest, { maxLength: 3 }).map((conditions): Condition => ({ kind: 'and', conditions })),
  fc.array(someTest, { maxLength: 2 }).map((conditions): Condition => ({ kind: 'or', conditions }))
)
const clause = fc.record({ name: fc.constantFrom<Name>('price', 'added', 'active'), descending: fc.boolean() })
const order = fc.array(
  clause.map(({ name, descending }): OrderClause => ({ path: [name], type: typeOf(name), descending })),
  { minLength: 1, maxLength: 2 }
)
const someFilter: fc.Arbitrary<Filter> = fc.record({
  where,
  order,
  skip: fc.integer({ min: 0, max: 20 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 60, max: 200 }))
})

const write = fc.oneof(
  fc.array(someRow, { maxLength: 300 }).map((rows) => async (items: Collection) => void (await items.insert(rows))),
  fc.tuple(someTest, fc.record(values, { requiredKeys: [] })).map(
    ([condition, patch]) =>
      async (items: Collection) =>
        void (await items.update(condition, patch))
  ),
  someTest.map((condition) => async (items: Collection) => void (await items.delete(condition)))
)

/** Every condition tried on each row, everything sorted. */
function findSlowly(rows: readonly Row[], { where: condition, order: clauses, skip, limit = Infinity }: Filter): Row[] {
  const matches = condition === undefined ? () => true : compileCondition(condition).matches
  return rows
    .filter(matches)
    .toSorted(compileOrder(clauses, ['id']))
    .slice(skip, skip + limit)
}

const ids = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id)

async function findsTheSame(items: Collection, filters: readonly Filter[]): Promise<boolean> {
  const all = await items.find(filterOf({}))
  const found = await Promise.all(filters.map(async (filter) => items.find(filter)))
  return isDeepStrictEqual(
    found,
    filters.map((filter) => findSlowly(all, filter))
  )
}

void t.test('a page that numbers lead holds the same rows as one of a list that is sorted', async (t) => {
  const steps = fc.array(fc.record({ write, filters: fc.array(someFilter, { minLength: 1, maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 4
  })
  const rows = fc.array(someRow, { minLength: 70, maxLength: 900, size: 'max' })
  const run = fc.asyncProperty(rows, steps, async (first, rest) => {
    const items = await openItems(t)
    await items.insert(first)
    for (const step of rest) {
      if (!(await findsTheSame(items, step.filters))) return false
      await step.write(items)
    }
    return true
  })
  await fc.assert(run, { numRuns: 60 })
  t.pass()
})

/** How many rows are looked at: every one satisfies the first condition. */
async function lookedAt(items: Collection, conditions: readonly Condition[], limit: number): Promise<number> {
  let count = 0
  const pattern = { source: '', ignoreCase: false, readsAll: false, test: () => ++count > 0 }
  const counting: Condition = { kind: 'test', path: ['name'], test: 'pattern', pattern }
  await items.find(filterOf({ where: { kind: 'and', conditions: [counting, ...conditions] }, order: byPrice, limit }))
  return count
}

const made = (amount: number): Row[] =>
  Array.from({ length: amount }, (_, at) => ({ price: (at * 7919) % 3001, added: new Date(at % 500), name: 'x' }))
const priceTest = { kind: 'test', path: ['price'], type: typeOf('price') } as const
const byPrice: OrderClause[] = [{ path: ['price'], type: { kind: 'number' }, descending: true }]

void t.test('few rows are looked at for a page that numbers lead', async (t) => {
  const items = await openItems(t)
  await items.insert(made(3000))
  const count = await lookedAt(items, [], 10)
  t.ok(count >= 10 && count < 400, `${count} rows`)
})

void t.test('rows whose numbers a condition rules out are not looked at', async (t) => {
  const items = await openItems(t)
  await items.insert(made(3000))
  t.equal(await lookedAt(items, [{ ...priceTest, ...testWith('lte', 19) }], 100), 20)
})

void t.test('numbers of rows that were added later are known, too', async (t) => {
  const items = await openItems(t)
  await items.insert(made(100))
  await lookedAt(items, [], 10)
  await items.insert(made(3000))
  const count = await lookedAt(items, [], 10)
  t.ok(count >= 10 && count < 400, `${count} rows`)
})

void t.test('numbers are found again where their rows have moved together', async (t) => {
  const items = await openItems(t)
  await items.insert(made(3000))
  const filter = filterOf({ order: byPrice, limit: 10 })
  await items.find(filter)
  await items.delete({ ...priceTest, ...testWith('gte', 900) })
  t.strictSame(ids(await items.find(filter)), ids(findSlowly(await items.find(filterOf({})), filter)))
})
