import type { Row } from '@modelwire/core/connector'
import { appendRow, removeRow, replaceRow, slotOfId } from '../table/table.ts'
import type { RowChange, Table } from '../table/table.ts'

/** Takes changes of a table back, the last one first. Generated ids are not generated again. */
export function undoChanges(table: Table, changes: readonly RowChange[]): void {
  if (changes.length > 0) table.beforeChange?.()
  for (const { before, after, serial } of changes.toReversed()) {
    if (after === undefined) putBack(table, before, serial)
    else undoPut(table, before, slotOf(table, after, serial))
  }
}

function putBack(table: Table, row: Row | undefined, serial: number | undefined): void {
  if (row === undefined) return
  appendRow(table, row)
  if (serial !== undefined) table.serials[table.rows.length - 1] = serial
}

function undoPut(table: Table, before: Row | undefined, slot: number | undefined): void {
  if (slot === undefined) return
  if (before === undefined) removeRow(table, slot)
  else replaceRow(table, slot, before)
}

/** Slots move when gaps are closed: the row is found by its id, or by its serial. */
function slotOf(table: Table, row: Row, serial: number | undefined): number | undefined {
  const { id } = table.layout
  if (id !== undefined) return slotOfId(table, row[id.name])
  const slot = serial === undefined ? -1 : table.serials.indexOf(serial)
  return slot < 0 ? undefined : slot
}
