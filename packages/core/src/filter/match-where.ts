import { InvalidFilter } from '../errors.ts'
import type { Bound, Comparison, TestKind, Condition } from '../contract/condition.ts'
import { makeValueTest, perTest, type ValueTest } from './test-value.ts'
import type { Row } from '../contract/row.ts'
import { type BoundedCache, createBoundedCache } from '../values/caches.ts'
import { readPath } from '../values/read-path.ts'

/**
 * A decomposed condition: its shape, which is equal for all conditions that differ only in their values, and the values in
 * the order in which the shape's code reads them.
 */
export interface PredicateSource {
  readonly shape: string
  readonly comparisons: readonly Comparison[]
  readonly operands: readonly unknown[]
}

interface Draft {
  readonly comparisons: Comparison[]
  readonly operands: unknown[]
}

/**
 * Writes the code of a predicate.
 *
 * Why nothing from a request can become code: operators and structure come from closed tables below, values only as
 * parameters, and a property name only as the output of `JSON.stringify`, inside brackets. A name that JavaScript's
 * object model also knows (`__proto__`, `constructor`) can make the fast path below read something inherited, but that is
 * never a string, number, boolean or date; everything else is read by own properties only.
 */
export function writePredicate(condition: Condition): PredicateSource {
  const draft: Draft = { comparisons: [], operands: [] }
  return { shape: writeCondition(condition, draft), ...draft }
}

function writeCondition(condition: Condition, draft: Draft): string {
  if (condition.kind === 'never') return 'false'
  if (condition.kind === 'test') return writeComparison(condition, draft)
  if (condition.kind === 'related') throw new InvalidFilter('this connector cannot filter by related records')
  const parts = condition.conditions.map((part) => writeCondition(part, draft))
  if (condition.kind === 'and') return parts.length === 0 ? 'true' : `(${parts.join(' && ')})`
  const any = parts.length === 0 ? 'false' : `(${parts.join(' || ')})`
  return condition.kind === 'or' ? any : `!${any}`
}

function writeComparison(comparison: Comparison, draft: Draft): string {
  const at = draft.comparisons.push(comparison) - 1
  const [name, ...below] = comparison.path
  const found = `read(row, path${at})`
  const [value, again] = below.length === 0 ? [`row[${JSON.stringify(name ?? '')}]`, found] : [found, 'value']
  const sought = soughtBoolean(comparison)
  if (sought !== undefined)
    return `((value = ${value}) === ${sought} || (value !== ${!sought} && test(${at})(${again})))`
  const quick = writeQuickTest(comparison, draft)
  if (quick === undefined) return `test(${at})(${found})`
  return `(${quick.guard(`(value = ${value})`)} ? ${quick.test} : test(${at})(${again}))`
}

interface QuickTest {
  readonly guard: (value: string) => string
  readonly test: string
}

/**
 * The test of a value that has the operand's type, where `===` and `<` are equivalent to the full form; undefined where
 * the kind of test or the operand needs the full form. What is declared does not matter: stored values may differ from
 * it.
 */
function writeQuickTest(comparison: Comparison, draft: Draft): QuickTest | undefined {
  const quick = comparison.path.length === 0 ? undefined : quickTest(comparison)
  if (quick === undefined) return undefined
  const first = draft.operands.length
  draft.operands.push(...quick.operands)
  const { type, write } = quick
  return { guard: type.guard, test: write(type.value, `operand${first}`, `operand${first + 1}`) }
}

/** V8 compares with a constant faster than with a variable, and there are only two of them. */
function soughtBoolean(comparison: Comparison): boolean | undefined {
  if (comparison.test !== 'equals' || typeof comparison.value !== 'boolean' || comparison.path.length === 0)
    return undefined
  return comparison.value !== (comparison.negated ?? false)
}

/** The one type of all these values. */
function typeOfAll(values: readonly unknown[]): TypeOfValues | undefined {
  const found = allTypes.find((type) => type.includes(values[0]))
  return found !== undefined && values.every(found.includes) ? found : undefined
}

interface TypeOfValues {
  readonly includes: (value: unknown) => boolean
  /** Code for `includes`. */
  readonly guard: (value: string) => string
  /** Converts the value before it is compared. */
  readonly read: (value: unknown) => unknown
  /** Code for `read` of the variable `value`. */
  readonly value: string
}

const types = {
  string: makeType('string'),
  number: makeType('number'),
  boolean: makeType('boolean'),
  date: {
    includes: (value: unknown) => value instanceof Date,
    guard: (value: string) => `${value} instanceof Date`,
    read: (value: unknown) => (value instanceof Date ? value.getTime() : NaN),
    value: 'value.getTime()'
  }
} satisfies Readonly<Record<string, TypeOfValues>>
const allTypes: readonly TypeOfValues[] = Object.values(types)

function makeType(name: 'string' | 'number' | 'boolean'): TypeOfValues {
  return {
    includes: (value) => typeof value === name,
    guard: (value) => `typeof ${value} === '${name}'`,
    read: (value) => value,
    value: 'value'
  }
}

/** How values of the operands' type are tested on the fast path. */
interface Quick {
  readonly type: TypeOfValues
  readonly operands: readonly unknown[]
  readonly write: (value: string, operand: string, second: string) => string
}

function quickOf(
  values: readonly unknown[],
  write: Quick['write'],
  read = (type: TypeOfValues): readonly unknown[] => values.map(type.read)
): Quick | undefined {
  const type = typeOfAll(values)
  return type && { type, operands: read(type), write }
}

/** NaN equals nothing, though a set would find it. */
const asSet = (values: readonly unknown[]) => (type: TypeOfValues) => [
  new Set(values.map(type.read).filter((item) => !Number.isNaN(item)))
]

// A closed table: what it does not know cannot become code.
const signs: Readonly<Record<Bound['is'], string>> = { '>': '>', '>=': '>=', '<': '<', '<=': '<=' }

const quickTest = perTest<TestKind, [], Quick | undefined>({
  equals: ({ value, negated = false }) =>
    quickOf([value], (tested, operand) => `${tested} ${negated ? '!==' : '==='} ${operand}`),
  // Null in a list equals no value that has a type.
  in: ({ values, negated = false }) => {
    const items = values.filter((item) => item !== null)
    return quickOf(items, (tested, set) => `${negated ? '!' : ''}${set}.has(${tested})`, asSet(items))
  },
  range: ({ bounds: [first, second] }) => {
    const low = signs[first.is]
    if (second === undefined) return quickOf([first.value], (tested, operand) => `${tested} ${low} ${operand}`)
    const high = signs[second.is]
    // No branch lies between the two ends: where values are spread evenly, a processor guesses the lower one wrong half of the time.
    return quickOf(
      [first.value, second.value],
      (tested, one, two) => `(${tested} ${low} ${one} & ${tested} ${high} ${two}) === 1`
    )
  },
  pattern: ({ pattern, negated = false }) => ({
    type: types.string,
    operands: [pattern],
    write: (tested, operand) => `${negated ? '!' : ''}${operand}.test(${tested})`
  }),
  near: () => undefined
})

/** Whether a row satisfies a condition. */
export type Predicate = (row: Row) => boolean

/** Receives a found row and its index in the list; false when no more are needed. */
export type TakeRow = (row: Row, at: number) => boolean

/** Passes the rows of a list that satisfy a condition to `take`, forwards or backwards, until it has enough. */
export type ScanRows = (rows: readonly (Row | undefined)[], backwards: boolean, take: TakeRow) => void

/** The compiled form of a condition. */
export interface CompiledCondition {
  readonly matches: Predicate
  /** Like `matches`, in a loop for this condition only: V8 inlines its test there. */
  readonly scan: ScanRows
}

/** Creates the functions of a shape for the values of one condition. */
type BindShape = (source: PredicateSource, read: typeof readPath, test: (at: number) => ValueTest) => CompiledCondition

/** Compiled conditions by shape. A collection with its own cache lets V8 specialize on the shape of its rows. */
export type PredicateShapes = BoundedCache<string, BindShape>

/** Creates a cache for the compiled shapes of up to `limit` conditions. */
export function createPredicateShapes(limit = 500): PredicateShapes {
  return createBoundedCache(limit)
}

const mostInCode = 100

// Only a memo: it changes no result, and nothing of a value is kept in it.
const sharedShapes = createPredicateShapes()

/** Like `compileCondition`, if there is no list to scan. */
export function compilePredicate(condition: Condition, shapes?: PredicateShapes): Predicate {
  return compileCondition(condition, shapes).matches
}

/**
 * Compiles a condition into functions as fast as hand-written ones. Conditions that differ only in their values share one
 * compiled shape.
 * @see `writePredicate` for why this is safe
 */
export function compileCondition(condition: Condition, shapes: PredicateShapes = sharedShapes): CompiledCondition {
  const source = writePredicate(condition)
  if (source.comparisons.length > mostInCode) return compose(condition, shapes)
  return bindShape(findShape(source, shapes), source)
}

function findShape(source: PredicateSource, shapes: PredicateShapes): BindShape {
  const cached = shapes.get(source.shape)
  if (cached !== undefined) return cached
  const bind = compileShape(source)
  shapes.set(source.shape, bind)
  return bind
}

/** Compiling enormous conditions does not pay: their shape hardly recurs. They share one that calls their parts. */
function compose(condition: Condition, shapes: PredicateShapes): CompiledCondition {
  const matches = composePredicate(condition, shapes)
  // The shape gives it rows and nothing else.
  return findShape(composed, shapes)(composed, readPath, () => matches as ValueTest)
}

const composed: PredicateSource = { shape: 'test(0)(row)', comparisons: [], operands: [] }

function composePredicate(condition: Condition, shapes: PredicateShapes): Predicate {
  if (!('conditions' in condition)) return compilePredicate(condition, shapes)
  const parts = condition.conditions.map((part) => compilePredicate(part, shapes))
  if (condition.kind === 'and') return (row) => parts.every((part) => part(row))
  const any: Predicate = (row) => parts.some((part) => part(row))
  return condition.kind === 'or' ? any : (row) => !any(row)
}

/** The complete tests are made when a row first needs one: most never do. */
function bindShape(bind: BindShape, source: PredicateSource): CompiledCondition {
  const tests: ValueTest[] = []
  return bind(source, readPath, (at) => (tests[at] ??= makeTestAt(source, at)))
}

function makeTestAt({ comparisons }: PredicateSource, at: number): ValueTest {
  const comparison = comparisons[at]
  return comparison === undefined ? () => false : makeValueTest(comparison)
}

function compileShape({ shape, comparisons, operands }: PredicateSource): BindShape {
  const constants = [
    ...operands.map((_, at) => `const operand${at} = source.operands[${at}]`),
    ...comparisons.map((_, at) => `const path${at} = source.comparisons[${at}].path`)
  ]
  const body = `'use strict'
${constants.join('\n')}
return {
  matches (row) { let value; return ${shape} },
  scan (rows, backwards, take) {
    const step = backwards ? -1 : 1
    let value
    for (let at = backwards ? rows.length - 1 : 0; at >= 0 && at < rows.length; at += step) {
      const row = rows[at]
      if (row !== undefined && ${shape} && !take(row, at)) return
    }
  }
}`
  // `body` is code that writePredicate made; see there why nothing else gets into it.
  // oxlint-disable-next-line no-implied-eval
  return new Function('source', 'read', 'test', body) as BindShape
}
