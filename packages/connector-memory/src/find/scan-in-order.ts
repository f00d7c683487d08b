import type { Row, RowComparator, TakeRow } from '@modelwire/core/connector'
import { sizeOf, slotsOf, type Bucket } from '../table/bucket.ts'
import type { SortedColumn } from '../table/column.ts'
import type { Table } from '../table/table.ts'
import type { Range } from './access.ts'
import { readSlot, readSlots, type Tested } from './read-rows.ts'

/** How to read rows through the index of a column. */
export interface OrderedScan {
  readonly sorted: SortedColumn
  readonly descending: boolean
  readonly range: Range | undefined
  /** Orders rows with equal values; undefined if their slots are already in order. */
  readonly compareEqual: RowComparator | undefined
  /** Number of rows that may be read. */
  readonly budget: number
}

/**
 * Reads matching rows in the order of a column until `take` has enough. False if the budget did not suffice: `take` then
 * only got the first part.
 */
export function scanInOrder(table: Table, access: Tested, scan: OrderedScan, take: TakeRow): boolean {
  const { compareEqual } = scan
  let left = scan.budget
  let suffices = true
  visitInOrder(scan, (bucket) => {
    left -= sizeOf(bucket)
    // A value that many rows share is read from its first row on, so its size is not known yet.
    if (left < 0 && compareEqual !== undefined) suffices = false
    else if (!readBucket(table, access, bucket, compareEqual, take)) return false
    else suffices = left >= 0
    return suffices
  })
  return suffices
}

/** False when `take` has enough. */
function readBucket(
  table: Table,
  access: Tested,
  bucket: Bucket,
  compareEqual: RowComparator | undefined,
  take: TakeRow
): boolean {
  if (typeof bucket === 'number') return readSlot(table, access, bucket, take)
  if (compareEqual === undefined) return readSlots(table, access, slotsOf(bucket), take)
  const rows: Row[] = []
  readSlots(table, access, slotsOf(bucket), (row) => rows.push(row) > 0)
  return rows.toSorted(compareEqual).every(take)
}

/** Visits a bucket; false if no more are needed. */
type VisitBucket = (bucket: Bucket) => boolean

/** Rows without a value come first, or last where the order descends; a range leaves them out. */
function visitInOrder({ sorted, descending, range }: OrderedScan, visit: VisitBucket): void {
  const empty = range === undefined ? [sorted.absent, sorted.nulls].filter((bucket) => bucket !== undefined) : []
  if (descending) {
    if (visitDownwards(sorted, range, visit)) empty.toReversed().every(visit)
  } else if (empty.every(visit)) visitUpwards(sorted, range, visit)
}

function visitUpwards({ tree }: SortedColumn, range: Range | undefined, visit: VisitBucket): void {
  for (const [key, bucket] of tree.entries(range?.low))
    if ((range?.high !== undefined && key > range.high) || !visit(bucket)) return
}

/** False when no more are wanted. */
function visitDownwards({ tree }: SortedColumn, range: Range | undefined, visit: VisitBucket): boolean {
  for (const [key, bucket] of tree.entriesReversed(range?.high)) {
    if (range?.low !== undefined && key < range.low) return true
    if (!visit(bucket)) return false
  }
  return true
}
