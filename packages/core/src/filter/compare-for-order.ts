import { textOf } from './text-of.ts'

/**
 * Compares two values for `order`: absent values come first; null is 0 among numbers, dates and booleans and stands
 * before texts; lists and objects are compared as text; numeric text beside numbers as a number.
 * @see recordings filter/order and filter/open
 */
export function compareForOrder(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined) return -1
  if (b === undefined) return 1
  const [left, right] = [sortKey(a), sortKey(b)]
  if (typeof left === 'string' || typeof right === 'string') return compareText(left, right)
  return compareSame(left ?? 0, right ?? 0)
}

/**
 * As `compareForOrder`, but a null beside a text is 0 beside what the text is as a number, and equal where it is none.
 * LB3: no order at all, strictly speaking, so no index can keep it; pinned by filter/order and filter/open, where the
 * values have no declared type.
 */
export function compareUndeclared(a: unknown, b: unknown): number {
  if (a === null && typeof b === 'string') return compareWithText(0, b)
  if (b === null && typeof a === 'string') return -compareWithText(0, a)
  return compareForOrder(a, b)
}

/** As `compareForOrder`, but null is as absent: both come first. What databases do, and what pages by cursor need. */
export function compareAbsentFirst(a: unknown, b: unknown): number {
  return compareForOrder(a ?? undefined, b ?? undefined)
}

function compareWithText(number: number, text: string): number {
  return compareSame(number, Number(text)) || 0
}

function sortKey(value: unknown): number | string | null {
  if (value === null || typeof value === 'string') return value
  const number = value instanceof Date ? value.getTime() : numberOf(value)
  if (number === undefined) return textOf(value)
  // `<` and `>` know no place for NaN.
  return Number.isNaN(number) ? -Infinity : number
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? Number(value)
    : undefined
}

function compareText(left: number | string | null, right: number | string | null): number {
  if (left === null) return -1
  if (right === null) return 1
  if (typeof left === typeof right) return compareSame(left, right)
  const numeric = compareSame(Number(left), Number(right))
  if (!Number.isNaN(numeric)) return numeric
  return typeof left === 'number' ? -1 : 1
}

function compareSame(left: number | string, right: number | string): number {
  if (left < right) return -1
  if (left > right) return 1
  return left === right ? 0 : NaN
}
