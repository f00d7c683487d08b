import type { Comparison, LikeOperator, ListOperator, OneValueOperator, Operator, Pattern } from '@modelwire/core'
import type { Document } from 'mongodb'
import { regexTest } from './expression.ts'
import { equalForms, orderedForms } from './operands.ts'
import type { Place } from './place.ts'

/** What one comparison asks of a value. */
export interface Leaf {
  /** Operators of a field: the value satisfies the comparison where it satisfies all of any of these. */
  readonly tests: readonly Document[]
  /** An absent value satisfies it; the tests say the same of a field that is not there. */
  readonly whenAbsent: boolean
  /** An empty list satisfies it. */
  readonly whenEmpty: boolean
  /** Each test is true of a list where it is true of an item, and of nothing that is absent. */
  readonly isPlain: boolean
}

/** Operators of one table: how each of the canonical operators is asked. Operators of clients never get here. */
type CompileLeaf = (place: Place, operand: never) => Leaf

const plain = (tests: readonly Document[]): Leaf => ({ tests, whenAbsent: false, whenEmpty: false, isPlain: true })
const nothing = plain([])
const isNull: Leaf = { tests: [{ $eq: null }], whenAbsent: true, whenEmpty: false, isPlain: false }

const isNothing = (operand: unknown): boolean => operand === null || operand === undefined

/** One value in place of a list of one; no value is equal to a list of several. */
const oneOf = (operand: unknown): unknown =>
  Array.isArray(operand) && operand.length === 1 ? oneOf(operand[0]) : operand

const equal = (forms: readonly unknown[]): Document => (forms.length === 1 ? { $eq: forms[0] } : { $in: forms })

function compileEqual(place: Place, given: unknown): Leaf {
  const operand = oneOf(given)
  if (isNothing(operand)) return isNull
  const forms = equalForms(place, operand)
  return forms.length === 0 ? nothing : plain([equal(forms)])
}

function compileUnequal(place: Place, given: unknown): Leaf {
  const operand = oneOf(given)
  const rest = { whenEmpty: true, isPlain: false }
  if (isNothing(operand)) return { tests: [{ $ne: null }], whenAbsent: false, ...rest }
  return { tests: [{ $nin: equalForms(place, operand) }], whenAbsent: true, ...rest }
}

/** LB3: null and absent values satisfy `gte: null` and `lte: null`, and nothing satisfies `gt: null`, as everywhere. */
const ordered =
  (operator: '$gt' | '$gte' | '$lt' | '$lte', whenNull: Leaf): CompileLeaf =>
  (place, operand: unknown) =>
    isNothing(operand) ? whenNull : plain(orderedForms(place, operand).map((form) => ({ [operator]: form })))

/** Both ends hold for the same item of a list. */
function compileBetween(place: Place, [low, high]: readonly [unknown, unknown]): Leaf {
  if (isNothing(low) || isNothing(high)) return isNothing(low) && isNothing(high) ? isNull : nothing
  const [lows, highs] = [orderedForms(place, low), orderedForms(place, high)]
  const tests = lows.flatMap(($gte) =>
    highs.filter(($lte) => kindOf($lte) === kindOf($gte)).map(($lte) => ({ $gte, $lte }))
  )
  return { ...plain(tests), isPlain: false }
}

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : typeof value

const formsOf = (place: Place, operands: readonly unknown[]): readonly unknown[] =>
  operands.map(oneOf).flatMap((operand) => (isNothing(operand) ? [null] : equalForms(place, operand)))

function compileAmong(place: Place, operands: readonly unknown[]): Leaf {
  const forms = formsOf(place, operands)
  if (forms.length === 0) return nothing
  if (!forms.includes(null)) return plain([equal(forms)])
  return { tests: [{ $in: forms }], whenAbsent: true, whenEmpty: false, isPlain: false }
}

function compileNotAmong(place: Place, operands: readonly unknown[]): Leaf {
  const forms = formsOf(place, operands)
  return { tests: [{ $nin: forms }], whenAbsent: !forms.includes(null), whenEmpty: false, isPlain: false }
}

const nullType = 10

// LB3: null reads as the text "null"; an absent value has no text, except where the pattern says so.
function compileLike(_place: Place, pattern: Pattern): Leaf {
  const regex = regexTest(pattern)
  const whenAbsent = pattern.matchesAbsent === true
  const tests: Document[] = [
    ...(regex === undefined ? [] : [regex]),
    ...(pattern.test('null') ? [{ $type: nullType }] : []),
    ...(whenAbsent ? [{ $exists: false }] : [])
  ]
  return { tests, whenAbsent, whenEmpty: false, isPlain: !whenAbsent }
}

function compileUnlike(_place: Place, pattern: Pattern): Leaf {
  const regex = regexTest(pattern)
  const whenAbsent = pattern.matchesAbsent !== true
  const readsNull = pattern.test('null')
  // To `$ne` what is absent is null.
  const isThere = readsNull ? { $ne: null } : { $exists: true }
  const test: Document = {
    ...(regex !== undefined && { $not: regex }),
    ...((readsNull || !whenAbsent) && isThere)
  }
  const tests = [
    Object.keys(test).length === 0 ? { $nin: [] } : test,
    ...(readsNull && whenAbsent ? [{ $exists: false }] : [])
  ]
  return { tests, whenAbsent, whenEmpty: false, isPlain: false }
}

function compileRegexp(_place: Place, pattern: Pattern): Leaf {
  const regex = regexTest(pattern)
  return regex === undefined ? nothing : plain([regex])
}

type Compiled = OneValueOperator | ListOperator | LikeOperator | 'between' | 'regexp'

const table: Readonly<Record<Compiled, CompileLeaf>> = {
  eq: compileEqual,
  neq: compileUnequal,
  gt: ordered('$gt', nothing),
  gte: ordered('$gte', isNull),
  lt: ordered('$lt', nothing),
  lte: ordered('$lte', isNull),
  between: compileBetween,
  inq: compileAmong,
  nin: compileNotAmong,
  like: compileLike,
  nlike: compileUnlike,
  ilike: compileLike,
  nilike: compileUnlike,
  regexp: compileRegexp
}

/** What a comparison asks of a value. `near` is asked in a way of its own. */
export function compileLeaf(place: Place, comparison: Exclude<Comparison, { readonly operator: 'near' }>): Leaf {
  const operator: Exclude<Operator, 'near'> = comparison.operator
  // An empty pattern is like nothing, and unlike nothing.
  if ('like' in comparison && comparison.like === '') return nothing
  // Each operator's value has the form that its entry in the table expects: `Comparison` says so.
  const compile = table[operator] as (at: Place, operand: unknown) => Leaf
  return compile(place, comparison.value)
}
