import { InvalidValue } from '@modelwire/core'
import type { Row } from '@modelwire/core'
import type { Table } from '../table/table.ts'
import { fileKey, nextIdOf } from './table-records.ts'

/** Writes what an operation did to a table as a line of the journal. */
export type WriteChangeLine = (table: Table, slots: readonly number[], deletes: readonly string[]) => string

/**
 * Makes the writer of journal lines. It turns each row into text before the row is stored: what JSON cannot hold is
 * refused while the operation can still be given up as a whole.
 */
export function watchRows(tables: readonly Table[]): WriteChangeLine {
  const texts = new Map<Row, string>()
  const beforeStore = (row: Row): void => {
    texts.set(row, toJson(row))
  }
  for (const table of tables) table.beforeStore = beforeStore
  return (table, slots, deletes) => {
    const puts = slots.map((slot) => {
      const row = table.rows[slot] ?? {}
      return `[${JSON.stringify(fileKey(table, slot))},${texts.get(row) ?? toJson(row)}]`
    })
    texts.clear()
    const model = JSON.stringify(table.model.name)
    return `{"model":${model},"puts":[${puts.join(',')}],"deletes":${JSON.stringify(deletes)},"nextId":${nextIdOf(table)}}\n`
  }
}

function toJson(row: Row): string {
  try {
    return JSON.stringify(row)
  } catch (cause) {
    throw new InvalidValue('a record that is kept in a file can only hold what JSON can', { cause })
  }
}
