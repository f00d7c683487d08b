import type { Filter } from '../contract/condition.ts'
import type { AnswerBounds } from '../limits/answer-bounds.ts'
import { AnswerTooLarge } from './errors.ts'
import { rowSize } from './row-size.ts'

/** How many rows to read for a filter: one more than its bound where it exceeds that; undefined for all of them. */
export function limitWithin({ limit, atMost }: Pick<Filter, 'limit' | 'atMost'>): number | undefined {
  const most = Math.min(limit ?? Infinity, (atMost?.rows ?? Infinity) + 1)
  return most === Infinity ? undefined : most
}

/** @throws {AnswerTooLarge} there are more rows than `atMost` allows */
export function checkRowCount(count: number, atMost: AnswerBounds | undefined): void {
  if (atMost !== undefined && count > atMost.rows) throw new AnswerTooLarge('rows', atMost)
}

/** Takes the rows of an answer as they come. @throws {AnswerTooLarge} with this one there are too many, or they are too large */
export type CountRow = (row: object) => void

/** Makes the function that counts the rows of one answer and their sizes, for databases that do not report sizes. */
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
