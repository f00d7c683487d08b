import { NotImplemented } from '@modelwire/core'
import { type Bound, isInclusive, perTest, type Pattern, type TestKind, type TestOf } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { exactTests, regexTest, tooLong } from './expression.ts'
import { equalForms, orderedForms } from './operands.ts'
import type { Place } from './place.ts'

/** The query operators of one comparison. */
export interface Leaf {
  /** Operators of a field: the value satisfies the comparison where it satisfies all of any of these. */
  readonly tests: readonly Document[]
  /** An absent value satisfies it; the operators do the same for a missing field. */
  readonly whenAbsent: boolean
  /** An empty list satisfies it. */
  readonly whenEmpty: boolean
  /** Each test is true of a list where it is true of an item, and of nothing that is absent. */
  readonly isPlain: boolean
}

const plain = (tests: readonly Document[]): Leaf => ({ tests, whenAbsent: false, whenEmpty: false, isPlain: true })
const nothing = plain([])
const isNull: Leaf = { tests: [{ $eq: null }], whenAbsent: true, whenEmpty: false, isPlain: false }

const isNothing = (operand: unknown): boolean => operand === null || operand === undefined

/** One value in place of a list of one; no value is equal to a list of several. */
const oneOf = (operand: unknown): unknown =>
  Array.isArray(operand) && operand.length === 1 ? oneOf(operand[0]) : operand

const equal = (forms: readonly unknown[]): Document => (forms.length === 1 ? { $eq: forms[0] } : { $in: forms })

const isText = (form: unknown): form is string => typeof form === 'string'

/** The tests of which one finds each of these values. */
function anyEqual({ exactly }: Place, forms: readonly unknown[]): readonly Document[] {
  if (forms.length === 0) return []
  if (exactly !== true) return [equal(forms)]
  const others = forms.filter((form) => !isText(form))
  return [...(others.length === 0 ? [] : [equal(others)]), ...exactTests(forms.filter(isText))]
}

/** The test that finds everything but these values. @throws {NotImplemented} their texts are too long for one expression */
function noneEqual({ exactly }: Place, forms: readonly unknown[]): Document {
  if (exactly !== true) return { $nin: forms }
  const [test, more] = exactTests(forms.filter(isText))
  if (more !== undefined) throw tooLong()
  return { $nin: forms.filter((form) => !isText(form)), ...(test !== undefined && { $not: test }) }
}

function compileEqual(place: Place, value: unknown): Leaf {
  const operand = oneOf(value)
  if (isNothing(operand)) return isNull
  return plain(anyEqual(place, equalForms(place, operand)))
}

function compileUnequal(place: Place, value: unknown): Leaf {
  const operand = oneOf(value)
  const rest = { whenEmpty: true, isPlain: false }
  if (isNothing(operand)) return { tests: [{ $ne: null }], whenAbsent: false, ...rest }
  return { tests: [noneEqual(place, equalForms(place, operand))], whenAbsent: true, ...rest }
}

const orders: Readonly<Record<Bound['is'], string>> = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' }

/** LB3: null and absent values are at least, and at most, null. */
const isNullBound = (bound: Bound): boolean => isNothing(bound.value) && isInclusive(bound)

/** Both ends hold for the same item of a list. */
function compileRange(place: Place, [first, second]: TestOf<'range'>['bounds']): Leaf {
  const bounds = second === undefined ? [first] : [first, second]
  if (bounds.some(({ value }) => isNothing(value))) return bounds.every(isNullBound) ? isNull : nothing
  const ones = orderedForms(place, first.value)
  // The server orders texts by the collation alone.
  if (place.exactly === true && ones.some(isText))
    throw new NotImplemented('ranges of texts in access rules and scopes need a collection without a collation')
  if (second === undefined) return plain(ones.map((one) => ({ [orders[first.is]]: one })))
  const others = orderedForms(place, second.value)
  const tests = ones.flatMap((one) =>
    others
      .filter((other) => kindOf(other) === kindOf(one))
      .map((other) => ({ [orders[first.is]]: one, [orders[second.is]]: other }))
  )
  return { ...plain(tests), isPlain: false }
}

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : typeof value

const formsOf = (place: Place, operands: readonly unknown[]): readonly unknown[] =>
  operands.map(oneOf).flatMap((operand) => (isNothing(operand) ? [null] : equalForms(place, operand)))

function compileAmong(place: Place, operands: readonly unknown[]): Leaf {
  const forms = formsOf(place, operands)
  if (!forms.includes(null)) return plain(anyEqual(place, forms))
  return { tests: anyEqual(place, forms), whenAbsent: true, whenEmpty: false, isPlain: false }
}

function compileNotAmong(place: Place, operands: readonly unknown[]): Leaf {
  const forms = formsOf(place, operands)
  return { tests: [noneEqual(place, forms)], whenAbsent: !forms.includes(null), whenEmpty: false, isPlain: false }
}

const nullType = 10

// LB3: null reads as the text "null" to `like`; an absent value has no text, except where the pattern says so.
const readsNull = (pattern: Pattern): boolean => pattern.readsAll && pattern.test('null')

function compileLike(pattern: Pattern): Leaf {
  const regex = regexTest(pattern)
  const whenAbsent = pattern.matchesAbsent === true
  const tests: Document[] = [
    ...(regex === undefined ? [] : [regex]),
    ...(readsNull(pattern) ? [{ $type: nullType }] : []),
    ...(whenAbsent ? [{ $exists: false }] : [])
  ]
  return { tests, whenAbsent, whenEmpty: false, isPlain: !whenAbsent }
}

function compileUnlike(pattern: Pattern): Leaf {
  const regex = regexTest(pattern)
  const whenAbsent = pattern.matchesAbsent !== true
  const whenNull = readsNull(pattern)
  // To `$ne` what is absent is null.
  const isThere = whenNull ? { $ne: null } : { $exists: true }
  const test: Document = {
    ...(regex !== undefined && { $not: regex }),
    ...((whenNull || !whenAbsent) && isThere)
  }
  const tests = [
    Object.keys(test).length === 0 ? { $nin: [] } : test,
    ...(whenNull && whenAbsent ? [{ $exists: false }] : [])
  ]
  return { tests, whenAbsent, whenEmpty: false, isPlain: false }
}

/** Compiles a comparison into query operators. `near` is compiled separately. */
export const compileLeaf = perTest<Exclude<TestKind, 'near'>, [Place], Leaf>({
  equals: ({ value, negated }, place) => (negated ? compileUnequal : compileEqual)(place, value),
  in: ({ values, negated }, place) => (negated ? compileNotAmong : compileAmong)(place, values),
  range: ({ bounds }, place) => compileRange(place, bounds),
  pattern: ({ pattern, negated }) => (negated ? compileUnlike : compileLike)(pattern)
})
