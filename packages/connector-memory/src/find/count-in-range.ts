import {
  compileCondition,
  isInclusive,
  type Comparison,
  type Condition,
  type CompiledCondition,
  type Row
} from '@modelwire/core/connector'
import { sizeOf, slotsOf, type Bucket } from '../table/bucket.ts'
import type { Column } from '../table/column.ts'
import type { Layout } from '../table/row-shape.ts'
import { stop } from '../table/sorted-map.ts'
import type { Table } from '../table/table.ts'
import type { Access, Range, NumberRange } from './access.ts'
import { usableSorted } from './candidates.ts'
import { readNumber, valuesOf } from '../table/number-list.ts'
import type { FindPlan, LeadingNumbers, Page } from './order-plan.ts'
import { readSlot } from './read-rows.ts'
import { collectTop } from './collect-top.ts'

/** So many numbers are looked at before the first row is: rows that are found narrow the range for the next ones. */
const numbersAtOnce = 256

/** A range of one index that covers a condition on its column, and the rest of the condition. */
export interface CountPlan {
  readonly column: Column
  readonly range: Required<Range>
  /** Undefined if the range covers the whole condition. */
  readonly rest: CompiledCondition['matches'] | undefined
}

/** Both ends of its range satisfy the test. */
const holdsEnds = (test: Comparison): boolean =>
  test.test === 'equals' || (test.test === 'range' && test.bounds.every(isInclusive))

/** Null stands at 0 among numbers but is in no range: only above 0 a range holds nothing but what is in it. */
function holdsNoNulls(column: Column, { low }: Range): boolean {
  return column.kind === 'string' || (typeof low === 'number' && low > 0)
}

/** The range of a column that satisfies a test; undefined if there is none that an index can use. */
type ReadRange = (test: Comparison, column: Column) => Range | undefined

/** How matches can be counted through an index without testing the indexed value again; undefined if they cannot. */
export function planCount(
  parts: readonly Condition[],
  ranges: Access['ranges'],
  layout: Layout,
  readRange: ReadRange
): CountPlan | undefined {
  for (const [column, range] of ranges) {
    const { low, high } = range
    if (low === undefined || high === undefined || !holdsNoNulls(column, range)) continue
    const ofColumn = (part: Condition): boolean =>
      part.kind === 'test' && part.path.length === 1 && part.path[0] === column.name
    const tests = parts.filter(ofColumn)
    const isInRange = (part: Condition): boolean =>
      part.kind === 'test' && holdsEnds(part) && readRange(part, column) !== undefined
    if (!tests.every(isInRange)) continue
    const conditions = parts.filter((part) => !ofColumn(part))
    const rest =
      conditions.length === 0 ? undefined : compileCondition({ kind: 'and', conditions }, layout.predicates).matches
    return { column, range: { low, high }, rest }
  }
  return undefined
}

/** Counts through the index; undefined if the range contains more than `budget` rows, or the index is unusable. */
export function countInRange(table: Table, { column, range, rest }: CountPlan, budget: number): number | undefined {
  const sorted = usableSorted(table, column)
  if (sorted === undefined || range.low === undefined || range.high === undefined) return undefined
  let [seen, count] = [0, 0]
  sorted.tree.forRange(range.low, range.high, true, (_, bucket) => {
    seen += sizeOf(bucket)
    if (seen > budget) return stop
    count += rest === undefined ? sizeOf(bucket) : countBucket(table.rows, bucket, rest)
    return undefined
  })
  return seen > budget ? undefined : count
}

function countBucket(rows: readonly (Row | undefined)[], bucket: Bucket, rest: CompiledCondition['matches']): number {
  if (typeof bucket === 'number') return matches(rows[bucket], rest)
  let count = 0
  for (const slot of slotsOf(bucket)) count += matches(rows[slot], rest)
  return count
}

const matches = (row: Row | undefined, rest: CompiledCondition['matches']): number =>
  row !== undefined && rest(row) ? 1 : 0

/**
 * Finds a page in numeric order without reading rows whose numbers the condition excludes, or that come after the last row
 * needed so far.
 */
export function findByNumber(table: Table, page: Page, plan: FindPlan, numbers: LeadingNumbers): Row[] {
  const { access, compare } = plan
  const top = collectTop(compare, page.skip, page.limit)
  let last: Row | undefined
  const take = (row: Row): boolean => {
    last = top.add(row)
    return true
  }
  const slots = new Uint32Array(numbersAtOnce)
  for (let from = 0; from < table.rows.length; from += numbersAtOnce) {
    const found = findSlots(table, [...access.within, rangeUpTo(last, numbers)], from, slots)
    for (let at = 0; at < found; at++) readSlot(table, access, slots[at] ?? 0, take)
  }
  return top.finish()
}

/**
 * The numbers that come before that of `last`, or with it. What is not a number has a place in the order that no number
 * expresses.
 */
function rangeUpTo(last: Row | undefined, { list, descending }: LeadingNumbers): NumberRange {
  const number = readNumber(list, last)
  if (Number.isNaN(number)) return { list, low: -Infinity, high: Infinity }
  return descending ? { list, low: number, high: Infinity } : { list, low: -Infinity, high: number }
}

/** Writes the slots after `from` that all ranges leave to `slots`, in their order, and returns their number. */
function findSlots(table: Table, ranges: readonly NumberRange[], from: number, slots: Uint32Array): number {
  const to = Math.min(from + slots.length, table.rows.length)
  let found = -1
  for (const range of ranges) {
    const values = valuesOf(range.list, table.rows)
    found = found < 0 ? listSlots(values, range, from, to, slots) : keepSlots(values, range, slots, found)
  }
  return found
}

// To fill `slots` first and then to keep some of them would take twice as long.
function listSlots(values: Float64Array, range: NumberRange, from: number, to: number, slots: Uint32Array): number {
  const { low, high } = range
  let found = 0
  for (let slot = from; slot < to; slot++) {
    slots[found] = slot
    found += isWithin(values[slot] ?? NaN, low, high)
  }
  return found
}

function keepSlots(values: Float64Array, { low, high }: NumberRange, slots: Uint32Array, count: number): number {
  let found = 0
  for (let at = 0; at < count; at++) {
    const slot = slots[at] ?? 0
    slots[found] = slot
    found += isWithin(values[slot] ?? NaN, low, high)
  }
  return found
}

/** 1 or 0, without a branch: where values are spread evenly, a processor would guess wrong at every row that is found. */
function isWithin(value: number, low: number, high: number): number {
  return 1 - (Number(value < low) | Number(value > high))
}
