import type { Row } from '@modelwire/core'
import type { Table } from '../table/table.ts'
import type { Access } from './access.ts'

/** What rows are tested for; nothing where it is undefined. */
export type Tested = Pick<Access, 'predicate'>

/** Takes a row; false when it wants no more. */
export type TakeRow = (row: Row, slot: number) => boolean

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

/** Gives `take` all rows that satisfy the condition, by their slots, until it has enough. */
export function readTable(table: Table, { predicate }: Tested, take: TakeRow): void {
  const { rows } = table
  for (let slot = 0; slot < rows.length; slot++) {
    const row = rows[slot]
    if (row !== undefined && (predicate === undefined || predicate(row)) && !take(row, slot)) return
  }
}

/** As `readTable`, from the last slot to the first. */
export function readTableBackwards(table: Table, { predicate }: Tested, take: TakeRow): void {
  const { rows } = table
  for (let slot = rows.length - 1; slot >= 0; slot--) {
    const row = rows[slot]
    if (row !== undefined && (predicate === undefined || predicate(row)) && !take(row, slot)) return
  }
}
