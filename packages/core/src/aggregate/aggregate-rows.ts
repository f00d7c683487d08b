import type { AggregateQuery, GroupColumn, MeasureColumn } from '../contract/aggregate.ts'
import type { Row } from '../contract/row.ts'
import { shortDecimal } from '../values/decimal.ts'
import { type Accumulator, createAccumulator } from './accumulators.ts'
import { compileResultOrder } from './compare-results.ts'
import { dateParts } from './date-parts.ts'
import { compileHaving } from './match-having.ts'

/** Sums and groups of rows that are passed in one after the other: none of them is kept. */
export interface Aggregation {
  readonly add: (row: Row) => void
  /** The rows of the result, ordered and cut to their page. */
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

/** Makes what computes a query's result of rows that match its `where`. */
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

/** The rows of a whole result that `having` keeps, ordered and cut to their page. */
export function cutResult(query: AggregateQuery, rows: readonly Row[]): Row[] {
  const { order, skip, limit = Infinity } = query
  const kept = rows.filter(compileHaving(query))
  return kept.toSorted(compileResultOrder(order)).slice(skip, skip + limit)
}

/** The stored row keeps its own. */
const copyDate = (value: unknown): unknown => (value instanceof Date ? new Date(value) : value)
