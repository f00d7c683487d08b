import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import type { Bound, Comparison, Condition } from '#src/contract/condition.ts'
import { compileCondition, compilePredicate } from '#src/filter/match-where.ts'
import type { ValueType } from '#src/types/property-type.ts'
import { testWith, type ValueOperator } from './test-with.ts'

// The interpreter below says what a condition means without caring for speed: no types, no compiling, no cache.

const toTime = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)
const isPlain = (value: unknown): boolean => typeof value === 'object' && !(value instanceof Date)
const parseDate = (text: string): number => (/^\d{4}-/.test(text) ? Date.parse(text) : NaN)
const isNothing = (value: unknown): boolean => value === null || value === undefined

function compare(a: unknown, b: unknown): number {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b) ? 0 : NaN
  if (isPlain(a) || isPlain(b)) return NaN
  const isDated = a instanceof Date || b instanceof Date
  const [left, right] = [toTime(a), toTime(b)].map((value) =>
    isDated && typeof value === 'string' ? parseDate(value) : value
  )
  if ((left as number) < (right as number)) return -1
  if ((left as number) > (right as number)) return 1
  // oxlint-disable-next-line eqeqeq
  return left == right ? 0 : NaN
}

function isWithin(value: unknown, { is, value: end }: Bound): boolean {
  const order = compare(value, end)
  if (is === '>') return order > 0
  if (is === '>=') return order >= 0
  return is === '<' ? order < 0 : order <= 0
}

function satisfies(value: unknown, test: Comparison): boolean {
  if (test.test === 'equals') return (compare(value, test.value) === 0) !== (test.negated ?? false)
  if (test.test === 'in') return test.values.some((item) => compare(value, item) === 0) !== (test.negated ?? false)
  return test.test === 'range' && test.bounds.every((bound) => isWithin(value, bound))
}

function interpret(condition: Condition, row: Record<string, unknown>): boolean {
  if (condition.kind === 'test') return interpretTest(condition, readNaively(row, condition.path))
  if (!('conditions' in condition)) return false
  const results = condition.conditions.map((part) => interpret(part, row))
  if (condition.kind === 'and') return !results.includes(false)
  return results.includes(true) === (condition.kind === 'or')
}

function interpretTest(test: Comparison, value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length === 0
      ? test.test === 'equals' && test.negated === true
      : value.some((item) => interpretTest(test, item))
  }
  return satisfies(value, test)
}

function readNaively(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value
  if (Array.isArray(value) && value.length === 0) return undefined
  if (Array.isArray(value) && !/^\d+$/.test(step)) return value.flatMap((item) => readNaively(item, [step, ...rest]))
  if (isNothing(value) || !Object.hasOwn(Object(value), step)) return undefined
  return readNaively((value as Record<string, unknown>)[step], rest)
}

const scalar = fc.oneof(
  fc.constantFrom(null, undefined, true, false, '', 'a', 'b', '1', '2', '10', '1970-01-01'),
  fc.integer({ min: -2, max: 11 }),
  fc.constantFrom(0.5, NaN, Infinity),
  fc.integer({ min: 0, max: 3 }).map((time) => new Date(time))
)
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 3 })
)
const row = fc.record(
  {
    a: value,
    b: value,
    c: fc.oneof(value, fc.record({ a: value, b: fc.array(fc.record({ a: value }), { maxLength: 2 }) }))
  },
  { requiredKeys: [] }
)

const somePath = fc.constantFrom(
  ['a'],
  ['b'],
  ['c'],
  ['c', 'a'],
  ['c', 'b', 'a'],
  ['a', '0'],
  ['c', 'b', '1', 'a'],
  ['__proto__']
)
const someType = fc.constantFrom<ValueType | undefined>(
  undefined,
  { kind: 'number' },
  { kind: 'string' },
  { kind: 'boolean' },
  { kind: 'date' }
)
const comparison = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), scalar),
  fc.tuple(fc.constantFrom('inq', 'nin'), fc.array(scalar, { maxLength: 4 })),
  fc.tuple(fc.constant('between'), fc.tuple(scalar, scalar))
)
const test = fc.tuple(somePath, someType, comparison).map(([path, type, [operator, operand]]): Condition => ({
  kind: 'test',
  path,
  type,
  ...testWith(operator as ValueOperator, operand)
}))
const { anyCondition } = fc.letrec<{ anyCondition: Condition }>((tie) => ({
  anyCondition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    test,
    fc.constant<Condition>({ kind: 'never' }),
    fc
      .record({
        kind: fc.constantFrom('and', 'or', 'nor'),
        conditions: fc.array(tie('anyCondition'), { maxLength: 3 })
      })
      .map((combined) => combined as Condition)
  )
}))

void t.test('a compiled condition says what the naive interpreter says', async (t) => {
  fc.assert(
    fc.property(anyCondition, fc.array(row, { minLength: 1, maxLength: 5 }), (condition, rows) => {
      const predicate = compilePredicate(condition)
      for (const each of rows) if (predicate(each) !== interpret(condition, each)) return false
      return true
    }),
    { numRuns: runs(3000) }
  )
  t.pass()
})

void t.test(
  'a scan gives the matching rows with their places, either way, until it is told that they are enough',
  async (t) => {
    const holed = fc.array(fc.option(row, { nil: undefined, freq: 4 }), { maxLength: 12 })
    const tooLongForCode = (condition: Condition): Condition => ({
      kind: 'and',
      conditions: Array.from({ length: 101 }, () => condition)
    })
    const asked = fc.oneof(anyCondition, test.map(tooLongForCode))
    fc.assert(
      fc.property(asked, holed, fc.boolean(), fc.integer({ min: 1, max: 6 }), (condition, rows, backwards, enough) => {
        const found: (readonly [unknown, number])[] = []
        compileCondition(condition).scan(rows, backwards, (each, at) => found.push([each, at]) < enough)
        const places = [...rows.keys()].filter((at) => rows[at] !== undefined && interpret(condition, rows[at]))
        const expected = (backwards ? places.toReversed() : places).slice(0, enough)
        return found.map(([, at]) => at).join() === expected.join() && found.every(([each, at]) => each === rows[at])
      }),
      { numRuns: runs(500) }
    )
    t.pass()
  }
)
