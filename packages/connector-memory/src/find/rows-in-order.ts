import { collectTop } from '@modelwire/core/connector'
import type { Row, RowComparator } from '@modelwire/core/connector'

/** Takes rows until it has enough. */
export interface RowCollector {
  /** False when no more rows are needed. */
  add: (row: Row) => boolean
  finish: () => Row[]
}

/** Collects rows that come in the wanted order: leaves the first `skip` out and stops after `limit` more. */
export function collectInOrder(skip: number, limit = Infinity): RowCollector {
  const rows: Row[] = []
  let skipped = 0
  return {
    add(row) {
      if (skipped < skip) skipped++
      else rows.push(row)
      return rows.length < limit
    },
    finish: () => rows
  }
}

/** Collects rows that come in any order. */
export function collectSorted(compare: RowComparator, skip: number, limit: number | undefined): RowCollector {
  const top = collectTop(compare, skip, limit)
  return {
    add(row) {
      top.add(row)
      return true
    },
    finish: top.finish
  }
}
