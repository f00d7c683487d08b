import type { Bound, Comparison, Near, Pattern, TestKind, TestOf } from '../contract/condition.ts'
import { distanceMetres, readPoint } from '../values/geo-point.ts'
import { textOf } from '../operators/operand.ts'

/** A function for each kind of test. A table with a missing kind does not compile. */
export type PerTest<K extends TestKind, Args extends readonly unknown[], R> = {
  readonly [P in K]: (test: TestOf<P>, ...args: Args) => R
}

/** Makes the function that calls the entry for a test's kind. */
export function perTest<K extends TestKind, Args extends readonly unknown[], R>(
  table: PerTest<K, Args, R>
): (test: TestOf<K>, ...args: Args) => R {
  return (test, ...args) => table[test.test](test, ...args)
}

/** Whether the bound itself is included. */
export const isInclusive = ({ is }: Bound): boolean => is === '>=' || is === '<='

const isoDate = /^[+-]?\d{4,6}-\d\d/

/** A test of the value at a path. */
export type ValueTest = (value: unknown) => boolean

/**
 * Makes the test of one comparison for values of every kind: the slow, complete form. A list satisfies it if any of its
 * items does, even a negated one; an empty list satisfies only a negated `equals`.
 * @see recordings filter/lists, filter/nested, filter/patterns
 */
export function makeValueTest(comparison: Comparison): ValueTest {
  const satisfies = makeTest(comparison)
  const { negated = false } = comparison
  const test: ValueTest = negated ? (value) => !satisfies(value) : satisfies
  const whenEmpty = negated && comparison.test === 'equals'
  const testAny: ValueTest = (value) => {
    if (!Array.isArray(value)) return test(value)
    return value.length === 0 ? whenEmpty : value.some(testAny)
  }
  return testAny
}

const makeTest = perTest<TestKind, [], ValueTest>({
  equals: ({ value }) => isEqualTo(value),
  in: ({ values }) => isIn(values),
  range: ({ bounds }) => isInRange(bounds),
  pattern: ({ pattern }) => isLike(pattern),
  near: ({ near }) => isNear(near)
})

// LB3: a list in place of a value stands for its only item; several match nothing.
function isEqualTo(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) return (value) => isLooselyEqual(value, operand)
  return operand.length === 1 ? isEqualTo(operand[0]) : () => false
}

function isInRange([first, second]: TestOf<'range'>['bounds']): ValueTest {
  const isFirst = isWithin(first)
  if (second === undefined) return isFirst
  const isSecond = isWithin(second)
  return (value) => isFirst(value) && isSecond(value)
}

const orders: Readonly<Record<Bound['is'], (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0
}

// LB3: null and absent values satisfy `gte: null` and `lte: null`, pinned by the recording filter/comparison.
function isWithin(bound: Bound): ValueTest {
  const { is, value: operand } = bound
  if (isNothing(operand)) return isInclusive(bound) ? isNothing : () => false
  const isOrdered = orders[is]
  return (value) => !isNothing(value) && isOrdered(compareLoosely(value, operand))
}

function isIn(operands: readonly unknown[]): ValueTest {
  const choices = operands.map(isEqualTo)
  return (value) => choices.some((choice) => choice(value))
}

// LB3: null reads as the text "null"; an absent value has no text, except where the pattern says so.
function isLike(pattern: Pattern): ValueTest {
  if (!pattern.readsAll) return (value) => typeof value === 'string' && pattern.test(value)
  const ofAbsent = pattern.matchesAbsent === true
  return (value) => (value === undefined ? ofAbsent : pattern.test(textOf(value)))
}

function isNear(near: Near): ValueTest {
  const [min, max] = [near.minDistance ?? 0, near.maxDistance ?? Infinity]
  return (value) => {
    const point = readPoint(value)
    if (point === undefined) return false
    const distance = distanceMetres(near, point)
    return distance >= min && distance <= max
  }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}

/**
 * Below 0, 0 or above 0 when `a` is less than, equal to or greater than `b`, as JavaScript compares; NaN when they are
 * not comparable. Dates are compared by time, binary data byte by byte, other objects not at all. Null is not expected.
 */
function compareLoosely(a: unknown, b: unknown): number {
  if (a instanceof Date || b instanceof Date) return readTime(a) - readTime(b)
  if (typeof a === 'object' || typeof b === 'object') return compareBinary(a, b)
  // Both are primitive now; `<` and `>` turn numeric text and booleans into numbers by themselves.
  const [left, right] = [a as number, b as number]
  if (left < right) return -1
  if (left > right) return 1
  return isLooselyEqual(a, b) ? 0 : NaN
}

/**
 * Whether `a` equals `b` by JavaScript's `==`, except that null equals absent and nothing else, dates are equal by
 * time, binary data by content, and other objects only to themselves.
 */
function isLooselyEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? b ?? null) === null
  if (a instanceof Date || b instanceof Date) return readTime(a) === readTime(b)
  if (typeof a === 'object' || typeof b === 'object') return compareObjects(a, b)
  // LB3: undeclared properties find "1" by 1; see recording filter/open.
  // oxlint-disable-next-line eqeqeq
  return a == b
}

function compareBinary(a: unknown, b: unknown): number {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) : NaN
}

/** Ids of other databases are instances of a class with a text form; plain objects are only equal to themselves. */
function compareObjects(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array) return compareBinary(a, b) === 0
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [kind, other] = [classOf(a), classOf(b)]
  return kind !== undefined && kind === other && String(a) === String(b)
}

function classOf(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null ? undefined : prototype
}

function readTime(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  // JavaScript reads a date into nearly every number: "1" would be in 2001.
  if (typeof value === 'string') return isoDate.test(value) ? Date.parse(value) : NaN
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : NaN
}
