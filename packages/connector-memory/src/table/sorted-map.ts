import { createRequire } from 'node:module'
import type SortedBtree from 'sorted-btree'

const load = createRequire(import.meta.url)

/** Return value that ends a `forRange`. */
export const stop = { break: true } as const

/** The part of a B+ tree's interface that this package uses. */
export interface SortedMap<Key, Value> {
  readonly size: number
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => unknown
  delete: (key: Key) => boolean
  keys: (firstKey?: Key) => Iterable<Key>
  entries: (lowestKey?: Key) => Iterable<[Key, Value]>
  minKey: () => Key | undefined
  maxKey: () => Key | undefined
  /** Calls `onFound` for the keys from `low` to `high`, inclusive, until it returns `stop`. Cheaper than `entries`. */
  forRange: (
    low: Key,
    high: Key,
    includeHigh: boolean,
    onFound: (key: Key, value: Value) => typeof stop | undefined
  ) => unknown
  entriesReversed: (highestKey?: Key) => Iterable<[Key, Value]>
}

/** Makes a map that keeps its keys in the order of `<`: all numbers, or all strings by UTF-16 code. */
export function createSortedMap<Key extends string | number, Value>(
  entries: [Key, Value][] = []
): SortedMap<Key, Value> {
  // A dependency of this package, loaded by the first index.
  const { default: BTree } = load('sorted-btree') as typeof SortedBtree
  return new BTree<Key, Value>(entries, compareKeys)
}

function compareKeys(a: string | number, b: string | number): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
