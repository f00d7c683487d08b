import { InvalidValue } from '@modelwire/core/connector'
import type { Row } from '@modelwire/core/connector'
import type { Table } from '../table/table.ts'
import { fileKey, nextIdOf } from './table-records.ts'
import { undoChanges } from './undo-changes.ts'

/** Writes what operations do to tables as lines of the journal. */
export interface ChangeLines {
  /**
   * Lets every row of the table become text before it is stored: what JSON cannot hold is refused while the operation
   * can still be given up as a whole.
   */
  readonly watch: (table: Table) => void
  /** Undoes what the operation has just done to the table, when it is called. */
  readonly takeUndo: (table: Table) => () => void
  /** The line for changes that take effect together. */
  readonly write: (changes: readonly TableChange[]) => string
}

/** Rows that were put into `slots` of a table, and removed rows that had the keys `deletes`. */
export interface TableChange {
  readonly table: Table
  readonly slots: readonly number[]
  readonly deletes: readonly string[]
}

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

/** The text of a row. @throws {InvalidValue} it holds what JSON cannot hold */
export function toJson(row: Row): string {
  try {
    return JSON.stringify(row)
  } catch (cause) {
    throw new InvalidValue('a record that is kept in a file can only hold what JSON can', { cause })
  }
}
