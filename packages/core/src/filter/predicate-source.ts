import { InvalidFilter } from '../errors.ts'
import type { Comparison, Condition, Operator } from '../contract/condition.ts'

/**
 * A condition taken apart: its shape, which is equal for all conditions that differ only in their values, and the values
 * in the order in which the shape's code asks for them.
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
 * parameters, and a property name only as the text that `JSON.stringify` makes of it, inside brackets. A name that
 * JavaScript's object model also knows (`__proto__`, `constructor`) can lead the quick reading below to something
 * inherited, but that is never a text, number, boolean or date; everything else is read by own properties only.
 */
export function writePredicate(condition: Condition): PredicateSource {
  const draft: Draft = { comparisons: [], operands: [] }
  return { shape: writeCondition(condition, draft), ...draft }
}

function writeCondition(condition: Condition, draft: Draft): string {
  if (condition.kind === 'never') return 'false'
  if (condition.kind === 'test') return writeComparison(condition, draft)
  if (condition.kind === 'related') throw new InvalidFilter('only a database that says so tests related records')
  const parts = condition.conditions.map((part) => writeCondition(part, draft))
  if (condition.kind === 'and') return parts.length === 0 ? 'true' : `(${parts.join(' && ')})`
  const any = parts.length === 0 ? 'false' : `(${parts.join(' || ')})`
  return condition.kind === 'or' ? any : `!${any}`
}

function writeComparison(comparison: Comparison, draft: Draft): string {
  // LB3: the empty text is like nothing, and not like nothing either, pinned by the recording filter/patterns.
  if ('like' in comparison && comparison.like === '') return 'false'
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
 * The test of a value that has the operand's type, where `===` and `<` say what the full form says; undefined where the
 * operator or the operand needs the full form. What is declared does not matter: stored values may differ from it.
 */
function writeQuickTest(comparison: Comparison, draft: Draft): QuickTest | undefined {
  const write = quickOperators[comparison.operator]
  const type = write === undefined ? undefined : typeOfOperand(comparison)
  if (write === undefined || type === undefined || comparison.path.length === 0) return undefined
  const first = draft.operands.length
  draft.operands.push(...readOperands(comparison, type))
  return { guard: type.guard, test: write(type.value, `operand${first}`, `operand${first + 1}`) }
}

/** V8 compares with a constant faster than with a variable, and there are only two of them. */
function soughtBoolean({ operator, value, path }: Comparison): boolean | undefined {
  if (typeof value !== 'boolean' || path.length === 0) return undefined
  if (operator === 'eq') return value
  return operator === 'neq' ? !value : undefined
}

/** The one type of everything that is compared with; null in a list equals no value that has a type. */
function typeOfOperand({ operator, value }: Comparison): TypeOfValues | undefined {
  if (patternOperators.has(operator)) return types.string
  const list =
    operator === 'inq' || operator === 'nin' ? value.filter((item) => item !== null) : listOf(operator, value)
  const found = Object.values(types).find((type) => type.includes(list[0]))
  return found !== undefined && list.every(found.includes) ? found : undefined
}

function listOf(operator: Operator, value: unknown): readonly unknown[] {
  // `between` holds a list of two; a list anywhere else is one operand.
  return operator === 'between' ? (value as readonly unknown[]) : [value]
}

/** NaN equals nothing, though a set would find it. */
function readOperands({ operator, value }: Comparison, type: TypeOfValues): readonly unknown[] {
  if (operator !== 'inq' && operator !== 'nin') return listOf(operator, value).map(type.read)
  const items = value.filter(type.includes).map(type.read)
  return [new Set(items.filter((item) => !Number.isNaN(item)))]
}

const patternOperators: ReadonlySet<Operator> = new Set(['like', 'nlike', 'ilike', 'nilike', 'regexp'])

interface TypeOfValues {
  readonly includes: (value: unknown) => boolean
  /** Code for `includes`. */
  readonly guard: (value: string) => string
  /** What is compared in place of the value. */
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

function makeType(name: 'string' | 'number' | 'boolean'): TypeOfValues {
  return {
    includes: (value) => typeof value === name,
    guard: (value) => `typeof ${value} === '${name}'`,
    read: (value) => value,
    value: 'value'
  }
}

type WriteTest = (value: string, operand: string, second: string) => string

const quickOperators: Readonly<Partial<Record<Operator, WriteTest>>> = {
  eq: (value, operand) => `${value} === ${operand}`,
  neq: (value, operand) => `${value} !== ${operand}`,
  gt: (value, operand) => `${value} > ${operand}`,
  gte: (value, operand) => `${value} >= ${operand}`,
  lt: (value, operand) => `${value} < ${operand}`,
  lte: (value, operand) => `${value} <= ${operand}`,
  // No branch lies between the two ends: where values are spread evenly, a processor guesses the lower one wrong half of the time.
  between: (value, low, high) => `(${value} >= ${low} & ${value} <= ${high}) === 1`,
  inq: (value, set) => `${set}.has(${value})`,
  nin: (value, set) => `!${set}.has(${value})`,
  like: (value, pattern) => `${pattern}.test(${value})`,
  nlike: (value, pattern) => `!${pattern}.test(${value})`,
  ilike: (value, pattern) => `${pattern}.test(${value})`,
  nilike: (value, pattern) => `!${pattern}.test(${value})`,
  regexp: (value, pattern) => `${pattern}.test(${value})`
}
