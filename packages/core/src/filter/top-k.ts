import type { Row } from '../connector/connector.ts'
import type { RowComparator } from './compile-order.ts'

/** Collects the first rows of an order without sorting the others. */
export interface TopRows {
  add: (row: Row) => void
  /** The rows after `skip`, at most `limit`, in order. Equal rows keep the order in which they were added. */
  finish: () => Row[]
}

/**
 * Makes a collector that never holds more than twice the rows it may need: when it is full it sorts them and forgets the
 * worse half, and from then on rows that come after the last kept one are dropped at once.
 */
export function collectTop(compare: RowComparator, skip: number, limit = Infinity): TopRows {
  const most = skip + limit
  const kept: Row[] = []
  let last: Row | undefined
  const cut = (): void => {
    kept.sort(compare)
    kept.length = most
    last = kept[most - 1]
  }
  return {
    add(row) {
      if (last !== undefined && compare(row, last) >= 0) return
      kept.push(row)
      if (kept.length >= 2 * most + 16) cut()
    },
    finish: () => kept.toSorted(compare).slice(skip, most)
  }
}

/** The matching rows in order, without the first `skip`, at most `limit`; sorts hardly more than it returns. */
export function topK(
  rows: Iterable<Row>,
  predicate: (row: Row) => boolean,
  compare: RowComparator,
  skip = 0,
  limit?: number
): Row[] {
  const top = collectTop(compare, skip, limit)
  for (const row of rows) if (predicate(row)) top.add(row)
  return top.finish()
}
