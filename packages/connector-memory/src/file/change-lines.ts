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
  /** The line for rows that were put into `slots`, and for removed rows that had the keys `deletes`. */
  readonly write: (table: Table, slots: readonly number[], deletes: readonly string[]) => string
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
    write(table, slots, deletes) {
      const puts = slots.map((slot) => {
        const row = table.rows[slot] ?? {}
        return `[${JSON.stringify(fileKey(table, slot))},${texts.get(row) ?? toJson(row)}]`
      })
      texts.clear()
      const model = JSON.stringify(table.model.name)
      return `{"model":${model},"puts":[${puts.join(',')}],"deletes":${JSON.stringify(deletes)},"nextId":${nextIdOf(table)}}`
    }
  }
}

function toJson(row: Row): string {
  try {
    return JSON.stringify(row)
  } catch (cause) {
    throw new InvalidValue('a record that is kept in a file can only hold what JSON can', { cause })
  }
}
