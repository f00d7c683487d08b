import sortedBtree from 'sorted-btree'

/** Ends a `forRange`. */
export const stop = { break: true } as const

/** What this package uses of a B+ tree. */
export interface SortedMap<Key, Value> {
  readonly size: number
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => unknown
  delete: (key: Key) => boolean
  keys: (firstKey?: Key) => Iterable<Key>
  entries: (lowestKey?: Key) => Iterable<[Key, Value]>
  minKey: () => Key | undefined
  maxKey: () => Key | undefined
  /** Calls `onFound` for the keys from `low` to `high`, both included, until it gives `stop`. Cheaper than `entries`. */
  forRange: (
    low: Key,
    high: Key,
    includeHigh: boolean,
    onFound: (key: Key, value: Value) => typeof stop | undefined
  ) => unknown
  entriesReversed: (highestKey?: Key) => Iterable<[Key, Value]>
}

/** Makes a map that keeps its keys in the order of `<`: all numbers, or all texts by UTF-16 code. */
export function createSortedMap<Key extends string | number, Value>(
  entries: [Key, Value][] = []
): SortedMap<Key, Value> {
  // The package is CommonJS: its module object is the default import, and its class the `default` of that.
  return new sortedBtree.default<Key, Value>(entries, compareKeys)
}

function compareKeys(a: string | number, b: string | number): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
