import { collectTop } from '@modelwire/core'
import type { Filter, Row, RowComparator, TakeRow } from '@modelwire/core'
import { readNumber, valuesOf } from '../table/number-list.ts'
import type { NumberList } from '../table/number-list.ts'
import type { Table } from '../table/table.ts'
import type { Access } from './access.ts'
import { readSlot } from './read-rows.ts'

/** Numbers that are wanted of a property, both ends included. A row whose value is none may be wanted all the same. */
export interface NumberRange {
  readonly list: NumberList
  readonly low: number
  readonly high: number
}

/** Numbers that an order starts with. */
export interface LeadingNumbers {
  readonly list: NumberList
  readonly descending: boolean
}

/** How a page is found that numbers lead. */
export interface NumberPlan {
  readonly access: Access
  readonly compare: RowComparator
  readonly numbers: LeadingNumbers
}

/**
 * Finds a page without a look at rows whose numbers the condition rules out, or whose first number in the order comes after
 * that of the last row which is wanted so far.
 */
export function findByNumber(table: Table, page: Pick<Filter, 'skip' | 'limit'>, plan: NumberPlan): Row[] {
  const { access, compare, numbers } = plan
  const top = collectTop(compare, page.skip, page.limit)
  const wanted = { list: numbers.list, low: -Infinity, high: Infinity }
  readInRanges(table, access, [...access.within, wanted], (row) => {
    const last = top.add(row)
    const number = last === undefined ? NaN : readNumber(numbers.list, last)
    // What is no number has a place in the order that no number tells.
    if (numbers.descending) wanted.low = Number.isNaN(number) ? -Infinity : number
    else wanted.high = Number.isNaN(number) ? Infinity : number
    return true
  })
  return top.finish()
}

/** So many numbers are looked at before the first row is: rows that are taken narrow the ranges for the next ones. */
const numbersAtOnce = 256

/** Gives `take` all matching rows, whether it has enough or not: a better one may come last. */
function readInRanges(table: Table, access: Access, ranges: readonly NumberRange[], take: TakeRow): void {
  const { length } = table.rows
  const slots = new Uint32Array(numbersAtOnce)
  for (let from = 0; from < length; from += numbersAtOnce) {
    const found = findSlots(table, ranges, from, Math.min(from + numbersAtOnce, length), slots)
    for (let at = 0; at < found; at++) readSlot(table, access, slots[at] ?? 0, take)
  }
}

/** Writes the slots that all ranges leave to `slots`, in their order, and tells how many these are. */
function findSlots(table: Table, ranges: readonly NumberRange[], from: number, to: number, slots: Uint32Array): number {
  let found = -1
  for (const range of ranges) {
    const values = valuesOf(range.list, table.rows)
    found = found < 0 ? listSlots(values, range, from, to, slots) : keepSlots(values, range, slots, found)
  }
  return found
}

// Both without a branch: where values are spread evenly, a processor would guess wrong at every row that is found.

function listSlots(
  values: Float64Array,
  { low, high }: NumberRange,
  from: number,
  to: number,
  slots: Uint32Array
): number {
  let found = 0
  for (let slot = from; slot < to; slot++) {
    const value = values[slot] ?? NaN
    slots[found] = slot
    found += 1 - (Number(value < low) | Number(value > high))
  }
  return found
}

function keepSlots(values: Float64Array, { low, high }: NumberRange, slots: Uint32Array, count: number): number {
  let found = 0
  for (let at = 0; at < count; at++) {
    const slot = slots[at] ?? 0
    const value = values[slot] ?? NaN
    slots[found] = slot
    found += 1 - (Number(value < low) | Number(value > high))
  }
  return found
}
