import { compareLoosely, isLooselyEqual } from './compare-values.ts'
import type { Bound, Comparison, Near, Pattern, TestKind, TestOf } from '../contract/comparison.ts'
import { isInclusive } from './is-inclusive.ts'
import { perTest } from './per-test.ts'
import { distanceMetres, readPoint } from '../values/distance.ts'
import { textOf } from './text-of.ts'

/** A test of what a path leads to. */
export type ValueTest = (value: unknown) => boolean

/**
 * Makes the test of one comparison for values of every kind: the slow, complete form. A list satisfies it when any of
 * its items does, a negated one too; an empty list satisfies only a negated `equals`.
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
