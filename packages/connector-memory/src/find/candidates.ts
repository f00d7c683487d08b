import { sizeOf, slotsOf } from '../table/bucket.ts'
import { buildHash, buildSorted, isUsable, type Column, type SortedColumn } from '../table/column.ts'
import { stop } from '../table/sorted-map.ts'
import { slotOfId, type Table } from '../table/table.ts'
import type { Access, Lookup, Range } from './access.ts'

/** Tables with up to this many rows are scanned: an index would not pay off. */
export const smallTable = 64

/** Slots that include all matching rows. */
export interface Candidates {
  readonly slots: Iterable<number>
  /** The slots are in ascending order. */
  readonly ascending: boolean
}

/**
 * The candidates, if an index finds them at a lower cost than scanning the whole table. `budget` is how many slots may be
 * read, `except` a column whose range is ignored.
 */
export function findCandidates(table: Table, access: Access, budget: number, except?: Column): Candidates | undefined {
  if (access.ids !== undefined) return slotsOfIds(table, access.ids)
  if (table.rows.length <= smallTable) return undefined
  return findByLookup(table, access, budget) ?? findByRange(table, access, budget, except)
}

/** The number of rows that the lookup finds, without reading them; undefined if its index is unusable. */
export function countLookup(table: Table, lookup: Lookup): number | undefined {
  const hash = hashOf(table, lookup.column)
  if (!isUsable(lookup.column)) return undefined
  return lookup.keys.reduce<number>((sum, key) => sum + sizeOf(hash.get(key)), 0)
}

/** The column's sorted index, if it is usable. */
export function usableSorted(table: Table, column: Column): SortedColumn | undefined {
  if (column.kind === 'other') return undefined
  const sorted = column.sorted ?? buildSorted(column, table.rows)
  return isUsable(column) ? sorted : undefined
}

function hashOf(table: Table, column: Column): NonNullable<Column['hash']> {
  return column.hash ?? buildHash(column, table.rows)
}

function slotsOfIds(table: Table, ids: readonly unknown[]): Candidates {
  const slots = ids.map((id) => slotOfId(table, id)).filter((slot) => slot !== undefined)
  return ids.length < 2 ? { slots, ascending: true } : { slots: new Set(slots), ascending: false }
}

function findByLookup(table: Table, access: Access, budget: number): Candidates | undefined {
  let best: Lookup | undefined
  let fewest = budget
  for (const lookup of access.lookups) {
    const count = countLookup(table, lookup)
    if (count !== undefined && count <= fewest) [best, fewest] = [lookup, count]
  }
  if (best === undefined) return undefined
  const hash = hashOf(table, best.column)
  const [key, ...more] = best.keys
  if (key !== undefined && more.length === 0) return { slots: slotsOf(hash.get(key)), ascending: true }
  return { slots: best.keys.flatMap((each) => [...slotsOf(hash.get(each))]), ascending: false }
}

function findByRange(table: Table, access: Access, budget: number, except?: Column): Candidates | undefined {
  for (const [column, range] of access.ranges) {
    const sorted = column === except ? undefined : usableSorted(table, column)
    const slots = sorted && slotsInRange(sorted, range, budget)
    if (slots !== undefined) return { slots, ascending: false }
  }
  return undefined
}

/** Undefined when there are more than `budget`. */
function slotsInRange({ tree }: SortedColumn, { low, high }: Range, budget: number): number[] | undefined {
  const [first, last] = [low ?? tree.minKey(), high ?? tree.maxKey()]
  const slots: number[] = []
  if (first === undefined || last === undefined) return slots
  tree.forRange(first, last, true, (_, bucket) => {
    if (typeof bucket === 'number') slots.push(bucket)
    else for (const slot of slotsOf(bucket)) slots.push(slot)
    return slots.length > budget ? stop : undefined
  })
  return slots.length > budget ? undefined : slots
}
