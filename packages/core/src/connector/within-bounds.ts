import type { Filter } from '../contract/condition.ts'
import type { AnswerBounds } from '../limits/limits.ts'
import { AnswerTooLarge } from './errors.ts'

/** Of a number, a boolean or an absent value. */
const plainSize = 8

/** The number of rows to read for a filter: one more than its bound if it exceeds that; undefined for all of them. */
export function limitWithin({ limit, atMost }: Pick<Filter, 'limit' | 'atMost'>): number | undefined {
  const most = Math.min(limit ?? Infinity, (atMost?.rows ?? Infinity) + 1)
  return most === Infinity ? undefined : most
}

/** @throws {AnswerTooLarge} there are more rows than `atMost` allows */
export function checkRowCount(count: number, atMost: AnswerBounds | undefined): void {
  if (atMost !== undefined && count > atMost.rows) throw new AnswerTooLarge('rows', atMost)
}

/**
 * Counts the rows of a result as they arrive.
 * @throws {AnswerTooLarge} with this one there are too many, or they are too large
 */
export type CountRow = (row: object) => void

/** Makes the function that counts the rows of one result and their sizes, for databases that do not report sizes. */
export function countWithin(atMost: AnswerBounds | undefined): CountRow {
  if (atMost === undefined) return () => {}
  let [rows, bytes] = [0, 0]
  const isMeasured = atMost.bytes < Infinity
  return (row) => {
    checkRowCount(++rows, atMost)
    if (isMeasured) bytes += rowSize(row)
    if (bytes > atMost.bytes) throw new AnswerTooLarge('bytes', atMost)
  }
}

/**
 * The approximate size of a row in bytes, including nested values: for connectors whose database does not report the size
 * of a result. Strings count by their length, values of a fixed size by their memory.
 */
export function rowSize(row: object): number {
  let size = 0
  // A list in place of calls within calls: what is stored may be nested as deeply as it likes.
  const open: unknown[] = [row]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') size += value.length
    else if (typeof value !== 'object' || value === null) size += plainSize
    else size += openObject(value, open)
  }
  return size
}

/** Puts what lies within an object on the list, and gives the size of the rest of it. */
function openObject(value: object, open: unknown[]): number {
  if (value instanceof Date) return plainSize
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  if (Array.isArray(value)) {
    for (const item of value) open.push(item)
    return plainSize
  }
  let size = plainSize
  for (const [name, part] of Object.entries(value)) {
    size += name.length
    open.push(part)
  }
  return size
}
