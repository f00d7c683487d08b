import { compareLoosely, isLooselyEqual } from './compare-values.ts'
import type { Comparison, Near, Operator, Pattern } from '../contract/condition.ts'
import { distanceMetres, readPoint } from '../values/distance.ts'
import { textOf } from './text-of.ts'

/** A test of what a path leads to. */
export type ValueTest = (value: unknown) => boolean

/**
 * Makes the test of one comparison for values of every kind: the slow, complete form. A list satisfies it when any of
 * its items does, for `neq` and `nin` too; an empty list satisfies only `neq`.
 * @see recordings filter/lists, filter/nested, filter/patterns
 */
export function makeValueTest(comparison: Comparison): ValueTest {
  // Each operator's value has the form that its entry in the table expects: `Comparison` says so.
  const makeTest = tests[comparison.operator] as (operand: unknown) => ValueTest
  const test = makeTest(comparison.value)
  const whenEmpty = comparison.operator === 'neq'
  const testAny: ValueTest = (value) => {
    if (!Array.isArray(value)) return test(value)
    return value.length === 0 ? whenEmpty : value.some(testAny)
  }
  return testAny
}

const tests: Readonly<Record<Operator, (operand: never) => ValueTest>> = {
  eq: isEqualTo,
  neq: (operand: unknown) => not(isEqualTo(operand)),
  gt: (operand: unknown) => (value) => isBoth(value, operand) && compareLoosely(value, operand) > 0,
  gte: isAtLeast,
  lt: (operand: unknown) => (value) => isBoth(value, operand) && compareLoosely(value, operand) < 0,
  lte: isAtMost,
  between: ([low, high]: readonly [unknown, unknown]) => both(isAtLeast(low), isAtMost(high)),
  inq: isIn,
  nin: (operands: readonly unknown[]) => not(isIn(operands)),
  like: isLike,
  nlike: (pattern: Pattern) => not(isLike(pattern)),
  ilike: isLike,
  nilike: (pattern: Pattern) => not(isLike(pattern)),
  regexp: (pattern: Pattern) => (value) => typeof value === 'string' && pattern.test(value),
  near: isNear
}

// LB3: a list in place of a value stands for its only item; several match nothing.
function isEqualTo(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) return (value) => isLooselyEqual(value, operand)
  return operand.length === 1 ? isEqualTo(operand[0]) : () => false
}

// LB3: null and absent values satisfy `gte: null` and `lte: null`, pinned by the recording filter/comparison.
function isAtLeast(operand: unknown): ValueTest {
  if (isNothing(operand)) return isNothing
  return (value) => !isNothing(value) && compareLoosely(value, operand) >= 0
}

function isAtMost(operand: unknown): ValueTest {
  if (isNothing(operand)) return isNothing
  return (value) => !isNothing(value) && compareLoosely(value, operand) <= 0
}

function isIn(operands: readonly unknown[]): ValueTest {
  const choices = operands.map(isEqualTo)
  return (value) => choices.some((choice) => choice(value))
}

// LB3: null reads as the text "null"; an absent value has no text, except where the pattern says so.
function isLike(pattern: Pattern): ValueTest {
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

function not(test: ValueTest): ValueTest {
  return (value) => !test(value)
}

function both(first: ValueTest, second: ValueTest): ValueTest {
  return (value) => first(value) && second(value)
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}

function isBoth(value: unknown, operand: unknown): boolean {
  return !isNothing(value) && !isNothing(operand)
}
