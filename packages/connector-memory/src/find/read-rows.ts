import { compileCondition, type TakeRow } from '@modelwire/core'
import type { Table } from '../table/table.ts'
import type { Access } from './access.ts'

/** What rows are tested for; nothing where it is undefined. */
export type Tested = Pick<Access, 'predicate'>

/** Where nothing is asked of rows. */
const { scan: scanAll } = compileCondition({ kind: 'and', conditions: [] })

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

/** Gives `take` all rows that satisfy the condition, by their slots, from the first or from the last, until it has enough. */
export function readTable({ rows }: Table, { scan }: Pick<Access, 'scan'>, backwards: boolean, take: TakeRow): void {
  if (scan === undefined) scanAll(rows, backwards, take)
  else scan(rows, backwards, take)
}
