import { collectTop } from '@modelwire/core/connector'
import type { Row } from '@modelwire/core/connector'
import { readNumber, valuesOf } from '../table/number-list.ts'
import type { Table } from '../table/table.ts'
import type { NumberRange } from './access.ts'
import type { FindPlan, LeadingNumbers, Page } from './order-plan.ts'
import { readSlot } from './read-rows.ts'

/** So many numbers are looked at before the first row is: rows that are found narrow the range for the next ones. */
const numbersAtOnce = 256

/**
 * Finds a page that numbers lead without a look at rows whose numbers the condition rules out, or whose first number in the
 * order comes after that of the last row which is wanted so far.
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
