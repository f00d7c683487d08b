import { createSortedMap, type SortedMap } from './sorted-map.ts'

/**
 * The slots of the rows that share one value, in ascending order: a number if there is one, a sorted list if there are few,
 * a tree if there are many.
 */
export type Bucket = number | number[] | SortedMap<number, undefined>

const longestList = 1024

/** Adds `slot` to a bucket; the old bucket must no longer be used. */
export function addSlot(bucket: Bucket | undefined, slot: number): Bucket {
  if (bucket === undefined) return slot
  if (typeof bucket === 'number') return bucket < slot ? [bucket, slot] : [slot, bucket]
  if (!Array.isArray(bucket)) bucket.set(slot, undefined)
  else if (bucket.length >= longestList) return addSlot(treeOf(bucket), slot)
  else insertSorted(bucket, slot)
  return bucket
}

/** Removes `slot` from a bucket; undefined if nothing is left. */
export function removeSlot(bucket: Bucket | undefined, slot: number): Bucket | undefined {
  if (bucket === undefined || bucket === slot) return undefined
  if (typeof bucket === 'number') return bucket
  if (Array.isArray(bucket)) removeSorted(bucket, slot)
  else bucket.delete(slot)
  return sizeOf(bucket) === 0 ? undefined : bucket
}

/** The number of slots. */
export function sizeOf(bucket: Bucket | undefined): number {
  if (bucket === undefined) return 0
  if (typeof bucket === 'number') return 1
  return Array.isArray(bucket) ? bucket.length : bucket.size
}

/** The slots in ascending order. */
export function slotsOf(bucket: Bucket | undefined): Iterable<number> {
  if (bucket === undefined) return []
  if (typeof bucket === 'number') return [bucket]
  return Array.isArray(bucket) ? bucket : bucket.keys()
}

function treeOf(list: readonly number[]): Bucket {
  return createSortedMap(list.map((slot): [number, undefined] => [slot, undefined]))
}

function insertSorted(list: number[], slot: number): void {
  const last = list.at(-1)
  if (last === undefined || last < slot) list.push(slot)
  else list.splice(positionOf(list, slot), 0, slot)
}

function removeSorted(list: number[], slot: number): void {
  const at = positionOf(list, slot)
  if (list[at] === slot) list.splice(at, 1)
}

/** Where `slot` is, or where it would be. */
function positionOf(list: readonly number[], slot: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? Infinity) < slot) low = middle + 1
    else high = middle
  }
  return low
}
