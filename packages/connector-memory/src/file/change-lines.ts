import type { Row } from '@modelwire/core/connector'
import { type Table, appendRow, removeRow, replaceRow, slotOfId, type RowChange, toJson } from '../table/table.ts'
import { fileKey, nextIdOf } from './table-records.ts'

/** Writes the changes that operations make to tables as lines of the journal. */
export interface ChangeLines {
  /**
   * Serializes every row of the table before it is stored, so that an operation with values that JSON cannot represent is
   * refused as a whole.
   */
  readonly watch: (table: Table) => void
  /** Returns a function that undoes what the operation has just done to the table. */
  readonly takeUndo: (table: Table) => () => void
  /** Returns the line for changes that take effect together. */
  readonly write: (changes: readonly TableChange[]) => string
}

/** Rows that were stored in `slots` of a table, and the keys `deletes` of removed rows. */
export interface TableChange {
  readonly table: Table
  readonly slots: readonly number[]
  readonly deletes: readonly string[]
}

/** A line that changes nothing. */
export const noChange = '{"entries":[]}'

/** Makes the writer of journal lines. */
export function createChangeLines(): ChangeLines {
  const texts = new Map<Row, string>()
  const beforeStore = (row: Row): void => {
    texts.set(row, toJson(row))
  }
  return {
    watch(table) {
      table.beforeStore = beforeStore
      table.changes = []
    },
    takeUndo(table) {
      const { changes = [] } = table
      table.changes = []
      return () => {
        undoChanges(table, changes)
        table.changes = []
      }
    },
    write(changes) {
      const entries = changes.map((change) => writeEntry(change, (row) => texts.get(row) ?? toJson(row)))
      texts.clear()
      const [only] = entries
      // A line is read as a whole or not at all, so that a transaction is.
      return entries.length === 1 && only !== undefined ? only : `{"entries":[${entries.join(',')}]}`
    }
  }
}

function writeEntry({ table, slots, deletes }: TableChange, textOf: (row: Row) => string): string {
  const puts = slots.map((slot) => `[${JSON.stringify(fileKey(table, slot))},${textOf(table.rows[slot] ?? {})}]`)
  const model = JSON.stringify(table.model.name)
  return `{"model":${model},"puts":[${puts.join(',')}],"deletes":${JSON.stringify(deletes)},"nextId":${nextIdOf(table)}}`
}

/** Takes changes of a table back, the last one first. Generated ids are not generated again. */
function undoChanges(table: Table, changes: readonly RowChange[]): void {
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
  const { id, idOf } = table.layout
  if (id !== undefined) return slotOfId(table, idOf(row))
  const slot = serial === undefined ? -1 : table.serials.indexOf(serial)
  return slot < 0 ? undefined : slot
}
