import type { Row, RowComparator } from '@modelwire/core'
import { sizeOf, slotsOf } from '../table/bucket.ts'
import type { Bucket } from '../table/bucket.ts'
import type { SortedColumn } from '../table/column.ts'
import type { Table } from '../table/table.ts'
import type { Range } from './access.ts'
import { readSlots } from './read-rows.ts'
import type { TakeRow, Tested } from './read-rows.ts'

/** How rows are read through the index of a column. */
export interface OrderedScan {
  readonly sorted: SortedColumn
  readonly descending: boolean
  readonly range: Range | undefined
  /** Orders the rows of one value; undefined when their slots already do. */
  readonly compareEqual: RowComparator | undefined
  /** Rows that may be looked at. */
  readonly budget: number
}

/**
 * Reads matching rows in the order of a column until `take` has enough. False when the budget did not suffice: what
 * `take` got is then only a beginning.
 */
export function scanInOrder(table: Table, access: Tested, scan: OrderedScan, take: TakeRow): boolean {
  let left = scan.budget
  for (const bucket of bucketsInOrder(scan)) {
    left -= sizeOf(bucket)
    // A value that many rows share is read from its first row on, so its size says nothing yet.
    if (left < 0 && scan.compareEqual !== undefined) return false
    if (!readBucket(table, access, bucket, scan.compareEqual, take)) return true
    if (left < 0) return false
  }
  return true
}

/** False when `take` has enough. */
function readBucket(
  table: Table,
  access: Tested,
  bucket: Bucket,
  compareEqual: RowComparator | undefined,
  take: TakeRow
): boolean {
  if (compareEqual === undefined || typeof bucket === 'number') return readSlots(table, access, slotsOf(bucket), take)
  const rows: Row[] = []
  readSlots(table, access, slotsOf(bucket), (row) => rows.push(row) > 0)
  return rows.toSorted(compareEqual).every(take)
}

/** Rows without a value come first, or last where the order descends; a range leaves them out. */
function* bucketsInOrder({ sorted, descending, range }: OrderedScan): Iterable<Bucket> {
  const empty = range === undefined ? [sorted.absent, sorted.nulls].filter((bucket) => bucket !== undefined) : []
  if (!descending) yield* empty
  yield* descending ? downwards(sorted, range) : upwards(sorted, range)
  if (descending) yield* empty.toReversed()
}

function* upwards({ tree }: SortedColumn, range: Range | undefined): Iterable<Bucket> {
  for (const [key, bucket] of tree.entries(range?.low)) {
    if (range?.high !== undefined && key > range.high) return
    yield bucket
  }
}

function* downwards({ tree }: SortedColumn, range: Range | undefined): Iterable<Bucket> {
  for (const [key, bucket] of tree.entriesReversed(range?.high)) {
    if (range?.low !== undefined && key < range.low) return
    yield bucket
  }
}
