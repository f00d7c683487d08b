import type { TakeRow } from '@modelwire/core/connector'
import type { Table } from '../table/table.ts'
import type { Access } from './access.ts'

/** What rows are tested against; undefined: all rows match. */
export type Tested = Pick<Access, 'predicate'>

/** Passes the row of one slot to `take`, if it satisfies the condition; false if no more are needed. */
export function readSlot(table: Table, { predicate }: Tested, slot: number, take: TakeRow): boolean {
  const row = table.rows[slot]
  return row === undefined || (predicate !== undefined && !predicate(row)) || take(row, slot)
}

/** Passes the rows of `slots` that satisfy the condition to `take`; false if no more are needed. */
export function readSlots(table: Table, { predicate }: Tested, slots: Iterable<number>, take: TakeRow): boolean {
  for (const slot of slots) {
    const row = table.rows[slot]
    if (row !== undefined && (predicate === undefined || predicate(row)) && !take(row, slot)) return false
  }
  return true
}
