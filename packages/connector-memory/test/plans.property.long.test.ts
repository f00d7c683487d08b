import { testWith, type ValueOperator } from '@modelwire/connector-tests'
import * as fc from 'fast-check'
import t from 'tap'
import {
  compileOrder,
  compileCondition,
  wildcardPattern,
  type Collection,
  type Condition,
  type Filter,
  type OrderClause,
  type Row
} from '@modelwire/core/connector'
import type { ModelDefinition } from '@modelwire/core'
import { openMemory } from './fixtures/open-memory.ts'

// The reference: rows in a list, every condition tried on each, everything sorted.

const types = {
  id: 'number',
  price: 'number',
  name: 'string',
  active: 'boolean',
  added: 'date',
  cat: 'number'
} as const
type Name = keyof typeof types

const definition = (idType: 'number' | 'string'): ModelDefinition => ({
  name: 'Item',
  properties: {
    id: { type: idType, id: true },
    price: { type: 'number', index: true },
    name: { type: 'string', index: true },
    active: { type: 'boolean', index: true },
    added: { type: 'date', index: true },
    cat: 'number'
  }
})

const values: Readonly<Record<Exclude<Name, 'id'>, fc.Arbitrary<unknown>>> = {
  price: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0, 0.5, null, undefined)),
  name: fc.constantFrom('a', 'b', 'B', '', 'ab', '10', '9', '\uffff\uffff', null, undefined),
  active: fc.constantFrom(true, false, null, undefined),
  added: fc.oneof(
    fc.integer({ min: -2, max: 5 }).map((time) => new Date(time)),
    fc.constantFrom(null, undefined)
  ),
  cat: fc.integer({ min: 0, max: 3 })
}
const someId = fc.integer({ min: 1, max: 400 })
const someRow = fc.record(values)
const patch = fc.record(values, { requiredKeys: [] })

const testOf = (name: Exclude<Name, 'id'>): fc.Arbitrary<Condition> =>
  fc
    .oneof(
      fc.tuple(
        fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
        values[name].map((value) => value ?? null)
      ),
      fc.tuple(
        fc.constantFrom('inq', 'nin'),
        fc.array(
          values[name].map((value) => value ?? null),
          { maxLength: 3 }
        )
      ),
      fc.tuple(fc.constant('between'), fc.tuple(values[name], values[name]))
    )
    .map(([operator, value]): Condition => ({
      kind: 'test',
      path: [name],
      type: { kind: types[name] },
      ...testWith(operator as ValueOperator, value)
    }))
const idTest = fc
  .oneof(
    fc.tuple(fc.constantFrom('eq', 'gt', 'lte'), someId),
    fc.tuple(fc.constant('inq'), fc.array(someId, { maxLength: 5 }))
  )
  .map(([operator, value]): Condition => ({
    kind: 'test',
    path: ['id'],
    type: { kind: 'number' },
    ...testWith(operator as ValueOperator, value)
  }))
const prefixTest = fc.constantFrom('', 'a', 'ab', '1', '\uffff').map((text): Condition => ({
  kind: 'test',
  path: ['name'],
  type: { kind: 'string' },
  test: 'pattern',
  pattern: wildcardPattern(
    { tokens: [{ kind: 'text', text }], anchor: 'start' },
    { ignoreCase: false, readsAll: false }
  )
}))
const simple = fc.oneof(idTest, prefixTest, ...(Object.keys(values) as (keyof typeof values)[]).map(testOf))
const group = (part: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.record({
    kind: fc.constantFrom('and', 'and', 'and', 'or', 'nor'),
    conditions: fc.array(part, { maxLength: 3 })
  }) as fc.Arbitrary<Condition>
const where = fc.option(fc.oneof(simple, group(fc.oneof(simple, group(simple)))), { nil: undefined })
const clause = fc.record({
  name: fc.constantFrom<Name>('id', 'price', 'name', 'active', 'added', 'cat'),
  descending: fc.boolean()
})
const order = fc.array(
  clause.map(({ name, descending }): OrderClause => ({ path: [name], type: { kind: types[name] }, descending })),
  { maxLength: 2 }
)
const someFilter: fc.Arbitrary<Filter> = fc.record({
  where,
  order,
  skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 })),
  limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 300 })), { nil: undefined })
})

/** A page of an ordered range: what the index of the column serves from its end. */
const page: fc.Arbitrary<Filter> = fc.constantFrom('price' as const, 'name' as const, 'added' as const).chain((name) =>
  fc.record({
    where: fc
      .tuple(
        fc.constantFrom('gte', 'gt', 'lte', 'lt', 'between'),
        values[name],
        values[name],
        fc.option(simple, { nil: eqCat(2) })
      )
      .map(([operator, low, high, other]): Condition => {
        const value = operator === 'between' ? [low ?? null, high ?? null] : (low ?? null)
        const range: Condition = {
          kind: 'test',
          path: [name],
          type: { kind: types[name] },
          ...testWith(operator as ValueOperator, value)
        }
        return { kind: 'and', conditions: [range, other] }
      }),
    order: fc.boolean().map((descending): OrderClause[] => [{ path: [name], type: { kind: types[name] }, descending }]),
    skip: fc.integer({ min: 0, max: 4 }),
    limit: fc.integer({ min: 1, max: 12 })
  })
)

type Step =
  | { do: 'insert'; id: number; row: Row }
  | { do: 'update'; where: Condition | undefined; patch: Row }
  | { do: 'delete'; where: Condition }
  | { do: 'replace'; id: number; row: Row }
  | { do: 'find'; filter: Filter }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), id: someId, row: someRow }),
  fc.record({
    do: fc.constant('update' as const),
    where: fc.oneof({ weight: 9, arbitrary: simple }, { weight: 1, arbitrary: fc.constant(undefined) }),
    patch
  }),
  fc.record({
    do: fc.constant('delete' as const),
    where: group(simple).map((part): Condition => ({ kind: 'and', conditions: [part, eqCat(1)] }))
  }),
  fc.record({ do: fc.constant('replace' as const), id: someId, row: someRow }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('find' as const), filter: fc.oneof(someFilter, page) }) }
)

function eqCat(value: number): Condition {
  return { kind: 'test', path: ['cat'], type: { kind: 'number' }, test: 'equals', value }
}

const matches = (condition: Condition | undefined, each: Row): boolean =>
  condition === undefined || compileCondition(condition).matches(each)
const plain = (rows: readonly Row[]): string[] => rows.map((each) => JSON.stringify(each))

/** Carries out a step on both and compares what they say. */
async function runStep(t: Tap.Test, items: Collection, reference: Row[], action: Step): Promise<void> {
  await meanings[action.do](t, items, reference, action as never)
}

declare namespace Tap {
  type Test = Parameters<typeof openMemory>[0]
}

const shaped = (key: number | string, given: Row): Row => ({
  id: key,
  price: undefined,
  name: undefined,
  active: undefined,
  added: undefined,
  cat: undefined,
  ...given
})

const meanings = {
  async insert(
    t: Tap.Test,
    items: Collection,
    reference: Row[],
    action: { id: number | string; row: Row }
  ): Promise<void> {
    const exists = reference.some((each) => each['id'] === action.id)
    const inserted = (async () => items.insert([{ id: action.id, ...action.row }]))()
    if (exists) await t.rejects(inserted, { code: 'DUPLICATE_KEY' })
    else reference.push(shaped(action.id, action.row))
    await Promise.allSettled([inserted])
  },
  async update(
    t: Tap.Test,
    items: Collection,
    reference: Row[],
    action: { where: Condition | undefined; patch: Row }
  ): Promise<void> {
    const hit = reference.filter((each) => matches(action.where, each))
    const given = Object.entries(action.patch).filter(([, value]) => value !== undefined)
    for (const each of hit) Object.assign(each, Object.fromEntries(given))
    t.equal(await items.update(action.where, action.patch), hit.length)
  },
  async delete(t: Tap.Test, items: Collection, reference: Row[], action: { where: Condition }): Promise<void> {
    const kept = reference.filter((each) => !matches(action.where, each))
    t.equal(await items.delete(action.where), reference.length - kept.length)
    reference.splice(0, reference.length, ...kept)
  },
  async replace(
    t: Tap.Test,
    items: Collection,
    reference: Row[],
    action: { id: number | string; row: Row }
  ): Promise<void> {
    const at = reference.findIndex((each) => each['id'] === action.id)
    t.equal(await items.replace(action.id, { ...action.row }), at >= 0)
    if (at >= 0) reference[at] = shaped(action.id, action.row)
  },
  async find(t: Tap.Test, items: Collection, reference: Row[], { filter }: { filter: Filter }): Promise<void> {
    const hits = reference.filter((each) => matches(filter.where, each))
    const expected = hits
      .toSorted(compileOrder(filter.order, ['id']))
      .slice(filter.skip, filter.limit && filter.skip + filter.limit)
    t.strictSame(plain(await items.find(filter)), plain(expected))
    t.equal(await items.count(filter.where), hits.length)
  }
}

/** Text ids do not come in order, so that slots are no order. */
const keyOf = (idType: string, key: number): number | string => (idType === 'string' ? `${(key * 7919) % 401}` : key)

for (const idType of ['number', 'string'] as const) {
  void t.test(
    `with ${idType} ids every plan finds what a scan finds, whatever was written`,
    { timeout: 60_000 },
    async (t) => {
      const someRows = fc.uniqueArray(fc.record({ id: someId, row: someRow }), {
        selector: ({ id }) => id,
        minLength: 100,
        maxLength: 300,
        size: 'max'
      })
      const run = fc.asyncProperty(
        someRows,
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.boolean(),
        async (rows, steps, sorted) => {
          const { collection } = await openMemory(t, [definition(idType)])
          const items = collection('Item')
          const reference: Row[] = []
          const first = sorted ? rows.toSorted((a, b) => a.id - b.id) : rows
          for (const { id, row } of first) reference.push(shaped(keyOf(idType, id), row))
          await items.insert(reference.map((each) => ({ ...each })))
          for (const action of steps) {
            if ('where' in action || 'filter' in action)
              await runStep(t, items, reference, idType === 'string' ? withoutIds(action) : action)
            else await runStep(t, items, reference, { ...action, id: keyOf(idType, action.id) as number })
          }
        }
      )
      await fc.assert(run, { numRuns: 60 })
    }
  )
}

/** Conditions on ids, which were made for numbers, on text ids. */
function withoutIds<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutIds) as Value
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if ('path' in value && 'value' in value && Array.isArray(value.path) && value.path[0] === 'id') {
    const texts = Array.isArray(value.value)
      ? value.value.map((each) => keyOf('string', each))
      : keyOf('string', value.value as number)
    return { ...value, type: { kind: 'string' }, value: texts }
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutIds(part)])) as Value
}
