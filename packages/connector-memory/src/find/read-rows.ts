import type { TakeRow } from '@modelwire/core/connector'
import type { Table } from '../table/table.ts'
import type { Access } from './access.ts'

/** What rows are tested for; nothing where it is undefined. */
export type Tested = Pick<Access, 'predicate'>

/** Gives `take` the row of one slot, if it satisfies the condition; false when it has enough. */
export function readSlot(table: Table, { predicate }: Tested, slot: number, take: TakeRow): boolean {
  const row = table.rows[slot]
  return row === undefined || (predicate !== undefined && !predicate(row)) || take(row, slot)
}

/** Gives `take` the rows of `slots` that satisfy the condition; false when it has enough. */
export function readSlots(table: Table, { predicate }: Tested, slots: Iterable<number>, take: TakeRow): boolean {
  for (const slot of slots) {
    const row = table.rows[slot]
    if (row !== undefined && (predicate === undefined || predicate(row)) && !take(row, slot)) return false
  }
  return true
}
