import {
  compileCondition,
  perTest,
  plainText,
  type Comparison,
  type Condition,
  type CompiledCondition,
  type TestKind
} from '@modelwire/core/connector'
import { columnKey, type Column, type ColumnKey } from '../table/column.ts'
import type { Layout } from '../table/row-shape.ts'
import type { NumberList } from '../table/number-list.ts'
import { planCount, type CountPlan } from './count-in-range.ts'

/** How to access the rows that a condition may match, determined once per condition. */
export interface Access {
  readonly layout: Layout
  /** The whole condition; undefined if every row satisfies it. */
  readonly predicate: CompiledCondition['matches'] | undefined
  /** Applies it to all rows, one after another. */
  readonly scan: CompiledCondition['scan']
  readonly matchesNothing: boolean
  /** The ids that a matching row can have. */
  readonly ids: readonly unknown[] | undefined
  /** Columns with the values that a matching row can have. */
  readonly lookups: readonly Lookup[]
  /** Columns with the bounds of a matching row's value. */
  readonly ranges: ReadonlyMap<Column, Range>
  /** Ranges of numbers, dates and booleans that a matching row is within, with or without an index. */
  readonly within: readonly NumberRange[]
  /** The lookup by itself satisfies the condition. */
  readonly isLookup: boolean
  readonly counting: CountPlan | undefined
}

/** A column or property whose values have one kind. */
type Compared = Pick<Column, 'kind'>

/** Values to look up in an index. */
export interface Lookup {
  readonly column: Column
  readonly keys: readonly ColumnKey[]
}

/** Inclusive bounds: the predicate tests each row anyway. */
export interface Range {
  readonly low: ColumnKey | undefined
  readonly high: ColumnKey | undefined
}

/** An inclusive range of a property's numbers. A row without a number may match nonetheless. */
export interface NumberRange {
  readonly list: NumberList
  readonly low: number
  readonly high: number
}

/** For an empty condition. */
const { scan: scanAll } = compileCondition({ kind: 'and', conditions: [] })

/** Determines how to access the rows that satisfy `where`. */
export function analyseCondition(where: Condition | undefined, layout: Layout): Access {
  const parts = where === undefined ? [] : flatten(where)
  const tests = parts.filter((part) => part.kind === 'test' && part.path.length === 1) as Comparison[] // filtered by kind
  const lookups = tests.flatMap((test) => readLookup(test, layout))
  const ranges = readRanges(tests, (test) => findColumn(test, layout))
  const compiled = where === undefined || parts.length === 0 ? undefined : compileCondition(where, layout.predicates)
  return {
    layout,
    predicate: compiled?.matches,
    scan: compiled?.scan ?? scanAll,
    matchesNothing: parts.some((part) => part.kind === 'never'),
    ids: tests.map((test) => readIds(test, layout)).find((ids) => ids !== undefined),
    lookups,
    ranges,
    counting: planCount(parts, ranges, layout, readRange),
    within: readWithin(tests, layout),
    isLookup: parts.length === 1 && lookups.length === 1
  }
}

/** True if an index may find matching rows. */
export const isIndexed = ({ ids, lookups, ranges }: Access): boolean =>
  ids !== undefined || lookups.length > 0 || ranges.size > 0

/** The conditions that must all hold. */
function flatten(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.conditions.flatMap(flatten) : [condition]
}

function readIds(test: Comparison, { id }: Layout): readonly unknown[] | undefined {
  if (id === undefined || test.path[0] !== id.name) return undefined
  const wanted = comparedValues(test)
  return wanted?.some(isNoId) === true ? undefined : wanted
}

/** The values that the test looks for, where it does. */
function comparedValues(test: Comparison): readonly unknown[] | undefined {
  if (test.negated === true) return undefined
  if (test.test === 'in') return test.values
  return test.test === 'equals' ? [test.value] : undefined
}

/** Lists stand for their items and null for absent values: the predicate knows how. */
function isNoId(value: unknown): boolean {
  return value === null || value === undefined || Array.isArray(value)
}

function readLookup(test: Comparison, layout: Layout): readonly Lookup[] {
  const column = findColumn(test, layout)
  if (column === undefined || column.name === layout.id?.name) return []
  const values = comparedValues(test)
  const keys = values && readKeys(column, values)
  return keys === undefined ? [] : [{ column, keys: [...new Set(keys)] }]
}

/** The bounds that `tests` set to the values of each of what `find` finds for them. */
function readRanges<Found extends Compared>(
  tests: readonly Comparison[],
  find: (test: Comparison) => Found | undefined
): ReadonlyMap<Found, Range> {
  const ranges = new Map<Found, Range>()
  for (const test of tests) {
    const found = find(test)
    const range = found && readRange(test, found)
    if (found !== undefined && range !== undefined) ranges.set(found, narrow(ranges.get(found), range))
  }
  return ranges
}

function readWithin(tests: readonly Comparison[], { numbers }: Layout): readonly NumberRange[] {
  const ranges = readRanges(tests, ({ path }) => numbers.find(({ name }) => name === path[0]))
  return [...ranges].map(([list, { low = -Infinity, high = Infinity }]) => ({
    list,
    low: Number(low),
    high: Number(high)
  }))
}

/** The bounds that a test sets to the values of a column; undefined where it sets none. */
const readRange = perTest<TestKind, [Compared], Range | undefined>({
  equals: ({ value, negated }, { kind }) => {
    const key = negated === true ? undefined : columnKey(kind, value)
    return key === undefined ? undefined : { low: key, high: key }
  },
  range: ({ bounds }, column) => {
    const keys = readKeys(
      column,
      bounds.map(({ value }) => value)
    )
    if (keys === undefined) return undefined
    const ranges = bounds.map(({ is }, at): Range =>
      is.startsWith('>') ? { low: keys[at], high: undefined } : { low: undefined, high: keys[at] }
    )
    return ranges.reduce(narrow)
  },
  in: () => undefined,
  pattern: ({ pattern: { wildcards, ignoreCase }, negated }, { kind }) => {
    const isPrefix = kind === 'string' && wildcards?.anchor === 'start' && !ignoreCase && negated !== true
    const prefix = isPrefix ? plainText(wildcards.tokens) : undefined
    return prefix === undefined ? undefined : { low: prefix, high: textBehind(prefix) }
  },
  near: () => undefined
})

/** A text that no text with the prefix comes after; undefined where only its length would reveal one. */
function textBehind(prefix: string): string | undefined {
  const last = prefix.charCodeAt(prefix.length - 1)
  return last < 0xff_ff ? prefix.slice(0, -1) + String.fromCharCode(last + 1) : undefined
}

function narrow(range: Range | undefined, { low, high }: Range): Range {
  return { low: larger(range?.low, low), high: smaller(range?.high, high) }
}

function larger(a: ColumnKey | undefined, b: ColumnKey | undefined): ColumnKey | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? b : a
}

function smaller(a: ColumnKey | undefined, b: ColumnKey | undefined): ColumnKey | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

function findColumn({ path }: Comparison, layout: Layout): Column | undefined {
  const column = layout.columns.get(path[0] ?? '')
  return column?.kind === 'other' ? undefined : column
}

/** The keys of values that all have the column's kind. */
function readKeys({ kind }: Compared, values: readonly unknown[]): readonly ColumnKey[] | undefined {
  const keys = values.map((value) => columnKey(kind, value))
  // Filtered by the check for undefined.
  return keys.includes(undefined) ? undefined : (keys as ColumnKey[])
}
