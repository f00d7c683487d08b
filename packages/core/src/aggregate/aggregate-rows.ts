import type { AggregateQuery, GroupColumn, MeasureColumn, ResultOrder } from '../contract/aggregate.ts'
import type { Row } from '../contract/row.ts'
import {
  shortDecimal,
  compareExact,
  readExact,
  addExact,
  divideExact,
  type Exact,
  exactZero,
  writeExact
} from '../values/decimal.ts'
import { dateParts } from './date-parts.ts'
import type { Comparison, Condition } from '../contract/condition.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { NumberNotRepresentable } from '../connector/errors.ts'

const exactOf = (value: unknown) => readExact(String(value)) ?? exactZero

/** Accumulates the values of the records of one group, except null and absent ones, and returns the aggregate. */
interface Accumulator {
  add: (value: unknown) => void
  result: () => unknown
}

/** Maximum number of decimals in an average of decimal numbers. */
export const averagePlaces = 20

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

const isEqual = (value: unknown, operand: unknown): boolean =>
  value === null || operand === null ? value === operand : compareDecimal(value, operand) === 0

const holds = {
  '>': (compared: number) => compared > 0,
  '>=': (compared: number) => compared >= 0,
  '<': (compared: number) => compared < 0,
  '<=': (compared: number) => compared <= 0
} as const

/** Aggregates rows that are passed in one after the other, without keeping them. */
export interface Aggregation {
  readonly add: (row: Row) => void
  /** The rows of the result, ordered and paginated. */
  readonly result: () => Row[]
}

interface Group {
  readonly values: readonly unknown[]
  readonly accumulators: readonly Accumulator[]
}

const isInvalid = (date: Date): boolean => Number.isNaN(date.getTime())

/** The value that a row is grouped by. */
function compileGroupValue({ property: { name }, part }: GroupColumn): (row: Row) => unknown {
  if (part === undefined) return (row) => row[name] ?? null
  const read = dateParts[part]
  return (row) => {
    const value = row[name]
    return value instanceof Date && !isInvalid(value) ? read(value) : null
  }
}

/** A primitive value that is the same where values are of one group. */
function compileKey({ isDecimal }: GroupColumn): (value: unknown) => unknown {
  if (isDecimal) return (value) => (value === null ? null : shortDecimal(String(value)))
  return (value) => (value instanceof Date ? value.getTime() : value)
}

function compileGroupKey(groups: readonly GroupColumn[]): (values: readonly unknown[]) => unknown {
  const keys = groups.map(compileKey)
  const [only] = keys
  if (only === undefined) return () => null
  if (keys.length === 1) return ([value]) => only(value)
  return (values) => JSON.stringify(values.map((value, at) => keys[at]?.(value)))
}

/** Makes the aggregation of a query, for rows that match its `where`. */
export function createAggregation(query: AggregateQuery): Aggregation {
  const { groups, measures } = query
  const read = groups.map(compileGroupValue)
  const keyOf = compileGroupKey(groups)
  const found = new Map<unknown, Group>()
  const begin = (key: unknown, values: readonly unknown[]): Group => {
    const group = { values, accumulators: measures.map(createAccumulator) }
    found.set(key, group)
    return group
  }
  if (groups.length === 0) begin(null, [])
  return {
    add: (row) => {
      const values = read.map((value) => value(row))
      const key = keyOf(values)
      const { accumulators } = found.get(key) ?? begin(key, values)
      for (let at = 0; at < accumulators.length; at++) addValue(row, measures[at], accumulators[at])
    },
    result: () => finish(query, [...found.values()])
  }
}

function addValue(row: Row, measure: MeasureColumn | undefined, accumulator: Accumulator | undefined): void {
  const value = measure?.property === undefined ? true : row[measure.property.name]
  if (value !== null && value !== undefined) accumulator?.add(value)
}

function finish(query: AggregateQuery, found: readonly Group[]): Row[] {
  const { groups, measures } = query
  const names = [...groups, ...measures].map(({ value }) => value.name)
  const rows = found.map(({ values, accumulators }): Row => {
    const results = [...values.map(copyDate), ...accumulators.map((each) => each.result())]
    return Object.fromEntries(names.map((name, at) => [name, results[at]]))
  })
  return cutResult(query, rows)
}

/** The rows of a full result that satisfy `having`, ordered and paginated. */
export function cutResult(query: AggregateQuery, rows: readonly Row[]): Row[] {
  const { order, skip, limit = Infinity } = query
  const kept = rows.filter(compileHaving(query))
  return kept.toSorted(compileResultOrder(order)).slice(skip, skip + limit)
}

/** The stored row keeps its own. */
const copyDate = (value: unknown): unknown => (value instanceof Date ? new Date(value) : value)

/** Makes what tests rows of a result: decimal numbers by their values, all others as records are tested. */
function compileHaving({ having, groups, measures }: AggregateQuery): Predicate {
  if (having === undefined) return () => true
  const decimals = new Set([...groups, ...measures].filter(({ isDecimal }) => isDecimal).map(({ value }) => value.name))
  return decimals.size === 0 ? compilePredicate(having) : compile(having, decimals)
}

function compile(condition: Condition, decimals: ReadonlySet<string>): Predicate {
  if (condition.kind === 'test' && decimals.has(condition.path[0] ?? '')) return compileDecimal(condition)
  if (!('conditions' in condition)) return compilePredicate(condition)
  const parts = condition.conditions.map((part) => compile(part, decimals))
  if (condition.kind === 'and') return (row) => parts.every((part) => part(row))
  const any: Predicate = (row) => parts.some((part) => part(row))
  return condition.kind === 'or' ? any : (row) => !any(row)
}

/** How the value compares with an operand; undefined where either is no number. */
function compareDecimal(value: unknown, operand: unknown): number | undefined {
  const [left, right] = [readExact(String(value)), readExact(String(operand))]
  return left === undefined || right === undefined ? undefined : compareExact(left, right)
}

function testDecimal(comparison: Comparison, value: unknown): boolean | undefined {
  if (comparison.test === 'equals') return isEqual(value, comparison.value ?? null)
  if (comparison.test === 'in') return comparison.values.some((each) => isEqual(value, each ?? null))
  if (comparison.test !== 'range') return undefined
  return comparison.bounds.every(({ is, value: operand }) => {
    const compared = value === null ? undefined : compareDecimal(value, operand)
    return compared !== undefined && holds[is](compared)
  })
}

function compileDecimal(comparison: Comparison): Predicate {
  const [name = ''] = comparison.path
  const asText = compilePredicate(comparison)
  const isNegated = comparison.negated === true
  return (row) => {
    const found = testDecimal(comparison, row[name])
    return found === undefined ? asText(row) : found !== isNegated
  }
}

/** Makes what computes one value of one group. */
function createAccumulator(column: MeasureColumn): Accumulator {
  const { fn, isDecimal } = column
  if (fn === 'count') return createCount()
  if (fn === 'min' || fn === 'max') return createExtreme(isDecimal, fn === 'min' ? -1 : 1)
  if (isDecimal) return createExactSum(fn === 'avg')
  return fn === 'avg' ? createAverage() : createSum()
}

function createCount(): Accumulator {
  let count = 0
  return {
    add: () => {
      count++
    },
    result: () => count
  }
}

/** Whole numbers are added exactly, however large their sum becomes on the way. */
function createSum(): Accumulator {
  let [sum, beyond, isEmpty] = [0, 0n, true]
  return {
    add: (value) => {
      if (!isNumber(value)) return
      isEmpty = false
      const next = sum + value
      if (Number.isSafeInteger(next) || !Number.isSafeInteger(sum) || !Number.isSafeInteger(value)) sum = next
      else [sum, beyond] = [value, beyond + BigInt(sum)]
    },
    result: () => {
      if (isEmpty) return null
      return beyond === 0n ? sum : wholeSum(beyond, sum)
    }
  }
}

/** @throws {NumberNotRepresentable} no number is the sum */
function wholeSum(beyond: bigint, sum: number): number {
  if (!Number.isInteger(sum)) return Number(beyond) + sum
  const whole = beyond + BigInt(sum)
  if (BigInt(Number(whole)) === whole) return Number(whole)
  throw new NumberNotRepresentable(
    `the sum ${whole} has more digits than a number can hold: store the values as decimal numbers`
  )
}

function createAverage(): Accumulator {
  let [sum, count] = [0, 0]
  return {
    add: (value) => {
      if (isNumber(value)) [sum, count] = [sum + value, count + 1]
    },
    result: () => (count === 0 ? null : sum / count)
  }
}

function createExactSum(isAverage: boolean): Accumulator {
  let sum: Exact = exactZero
  let count = 0
  return {
    add: (value) => {
      const exact = readExact(String(value))
      if (exact !== undefined) [sum, count] = [addExact(sum, exact), count + 1]
    },
    result: () => {
      if (count === 0) return null
      return isAverage ? shortDecimal(writeExact(divideExact(sum, count, averagePlaces))) : writeExact(sum)
    }
  }
}

function createExtreme(isDecimal: boolean, direction: -1 | 1): Accumulator {
  let extreme: unknown = null
  return {
    add: (value) => {
      if (extreme === null || compareValues(value, extreme, isDecimal) * direction > 0) extreme = value
    },
    result: () => (extreme instanceof Date ? new Date(extreme) : extreme)
  }
}

/** Below 0, 0 or above 0 where the first of two values of one column comes first; neither is null. */
function compareValues(first: unknown, second: unknown, isDecimal: boolean): number {
  if (isDecimal) return compareExact(exactOf(first), exactOf(second))
  if (first instanceof Date && second instanceof Date) return first.getTime() - second.getTime()
  if (first === second) return 0
  // Values of one column are numbers, texts or booleans, which the language compares by themselves.
  return (first as number) < (second as number) ? -1 : 1
}

function compareNullable(first: unknown, second: unknown, isDecimal: boolean): number {
  if (first === null || second === null) return Number(first !== null) - Number(second !== null)
  return compareValues(first, second, isDecimal)
}

/** Makes the comparison of rows of a result: null comes first, or last where the order descends. */
function compileResultOrder(order: readonly ResultOrder[]): (first: Row, second: Row) => number {
  const steps = order.map(({ column: { value, isDecimal }, descending }) => (first: Row, second: Row): number => {
    const compared = compareNullable(first[value.name], second[value.name], isDecimal)
    return descending ? -compared : compared
  })
  return (first, second) => {
    for (const step of steps) {
      const compared = step(first, second)
      if (compared !== 0) return compared
    }
    return 0
  }
}
