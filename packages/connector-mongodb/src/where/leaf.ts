import { NotImplemented } from '@modelwire/core'
import { type Bound, isInclusive, perTest, type Pattern, type TestKind, type TestOf } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { equalForms, orderedForms } from './operands.ts'
import type { Place } from './place.ts'

/** The operators that match strings by a regular expression. */
interface RegexTest {
  readonly $regex: string
  readonly $options?: string
}

/** Bytes of an expression that every server reads. */
const longestExpression = 30_000

/** Why texts cannot be compared by an expression. */
const tooLong = (): NotImplemented =>
  new NotImplemented('strings of this length cannot be compared in a collection with a collation')

const pieces = /\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\[^]|\[\^\]|\[\]|\0/giu

/** The query operators of one comparison. */
export interface Leaf {
  /** Operators of a field: the value satisfies the comparison if it satisfies all operators of any of these. */
  readonly tests: readonly Document[]
  /** An absent value satisfies it, just as the operators match a missing field. */
  readonly whenAbsent: boolean
  /** An empty list satisfies it. */
  readonly whenEmpty: boolean
  /** Each test matches a list if an item matches, and never matches an absent value. */
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
    throw new NotImplemented('ranges of strings in access rules and scopes need a collection without a collation')
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

/**
 * The test of a pattern as the server understands it: what JavaScript and PCRE write in different ways is rewritten.
 * Undefined where no stored text can match.
 */
function regexTest({ source, ignoreCase }: Pattern): RegexTest | undefined {
  if (!source.isWellFormed()) return undefined
  const $regex = inPcre(source)
  return ignoreCase ? { $regex, $options: 'i' } : { $regex }
}

/**
 * The tests of which one finds each text: expressions, which no collation changes.
 * @throws {NotImplemented} a text is longer than an expression may be
 */
function exactTests(texts: readonly string[]): readonly RegexTest[] {
  const chunks: string[] = []
  for (const text of texts) {
    const source = inPcre(text.replaceAll(/[\^$.*+?()[\]{}|\\/-]/g, String.raw`\$&`))
    const joined = chunks.length === 0 ? source : `${chunks.at(-1) ?? ''}|${source}`
    if (Buffer.byteLength(source) > longestExpression) throw tooLong()
    if (chunks.length > 0 && Buffer.byteLength(joined) <= longestExpression) chunks.splice(-1, 1, joined)
    else chunks.push(source)
  }
  // To PCRE, `$` is also before the end of the last line.
  return chunks.map((source) => ({ $regex: String.raw`^(?:${source})(?![\s\S])` }))
}

/** `[^]` is any character and `[]` none, code points have other escapes, and NUL cannot stand as it is. */
function inPcre(source: string): string {
  return source.replaceAll(pieces, (piece: string, long: string | undefined, short: string | undefined) => {
    const code = long ?? short
    if (code !== undefined) return characterOf(Number.parseInt(code, 16))
    if (piece === '[^]') return String.raw`[\s\S]`
    if (piece === '[]') return '(?!)'
    return piece.endsWith('\0') ? String.raw`\x00` : piece
  })
}

/** A character that means something is escaped; halves of surrogate pairs match nothing that is stored. */
function characterOf(code: number): string {
  const character = code > 0x10_ffff ? '\ud800' : String.fromCodePoint(code)
  if (!character.isWellFormed()) return '(?!)'
  if (character === '\0') return String.raw`\x00`
  return /[\^$.*+?()[\]{}|\\/-]/.test(character) ? `\\${character}` : character
}
