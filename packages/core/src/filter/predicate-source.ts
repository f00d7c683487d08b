import { InvalidFilter } from '../errors.ts'
import type { Bound, Comparison, TestKind } from '../contract/comparison.ts'
import { perTest } from './per-test.ts'
import type { Condition } from '../contract/condition.ts'

/**
 * A condition taken apart: its shape, which is equal for all conditions that differ only in their values, and the
 * values in the order in which the shape's code reads them.
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
const allTypes: readonly TypeOfValues[] = Object.values(types)

function makeType(name: 'string' | 'number' | 'boolean'): TypeOfValues {
  return {
    includes: (value) => typeof value === name,
    guard: (value) => `typeof ${value} === '${name}'`,
    read: (value) => value,
    value: 'value'
  }
}

/** How values of the operands' type are tested. */
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
