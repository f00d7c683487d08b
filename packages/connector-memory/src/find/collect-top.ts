import type { Row, RowComparator } from '@modelwire/core/connector'

/** Collects the first rows of an order without sorting the others. */
export interface TopRows {
  /** Gives the last of the rows that are wanted so far, as soon as it is known: what comes after it is not wanted. */
  add: (row: Row) => Row | undefined
  /** The rows after `skip`, at most `limit`, in order. Equal rows keep the order in which they were added. */
  finish: () => Row[]
}

/** Up to so many rows are kept in order at all times; among more, to make room for each would cost more than to sort. */
const mostInOrder = 100

/** Makes a collector. Rows that come after the last wanted one are dropped at once. */
export function collectTop(compare: RowComparator, skip: number, limit = Infinity): TopRows {
  const most = skip + limit
  return most <= mostInOrder ? keepInOrder(compare, skip, most) : sortWhenFull(compare, skip, most)
}

function keepInOrder(compare: RowComparator, skip: number, most: number): TopRows {
  const kept: Row[] = []
  return {
    add(row) {
      const last = kept[most - 1]
      if (last !== undefined && compare(row, last) >= 0) return last
      kept.splice(placeOf(row, kept, compare), 0, row)
      if (kept.length > most) kept.pop()
      return kept[most - 1]
    },
    finish: () => kept.slice(skip)
  }
}

/** The place behind all rows that do not come after `row`. */
function placeOf(row: Row, kept: readonly Row[], compare: RowComparator): number {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = kept[middle]
    if (other !== undefined && compare(row, other) < 0) high = middle
    else low = middle + 1
  }
  return low
}

/** Never holds more than twice the rows it may need: when it is full it sorts them and forgets the worse half. */
function sortWhenFull(compare: RowComparator, skip: number, most: number): TopRows {
  const kept: Row[] = []
  let last: Row | undefined
  const cut = (): void => {
    kept.sort(compare)
    kept.length = most
    last = kept[most - 1]
  }
  return {
    add(row) {
      if (last !== undefined && compare(row, last) >= 0) return last
      kept.push(row)
      if (kept.length >= 2 * most) cut()
      return last
    },
    finish: () => kept.toSorted(compare).slice(skip, most)
  }
}
