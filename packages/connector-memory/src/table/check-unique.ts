import { DuplicateKey } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import { slotsOf } from './bucket.ts'
import { buildHash, columnKey } from './column.ts'
import type { Column, ColumnKey } from './column.ts'
import type { IdKey } from './id-key.ts'
import type { Table } from './table.ts'

/**
 * Checks that new rows collide neither with stored ones nor with each other.
 * @throws {DuplicateKey}
 */
export function checkNewRows(table: Table, rows: readonly Row[]): void {
  checkIds(table, rows)
  for (const column of table.layout.uniques) checkColumn(table, column, rows, none)
}

/**
 * Checks what rows are going to be, by the slots they have now, in all unique columns that `changed` names.
 * @throws {DuplicateKey}
 */
export function checkChangedRows(
  table: Table,
  rows: ReadonlyMap<number, Row>,
  changed: (name: string) => boolean
): void {
  for (const column of table.layout.uniques) {
    if (changed(column.name)) checkColumn(table, column, [...rows.values()], rows)
  }
}

/**
 * Checks that `rows` collide in no unique column, neither with each other nor with rows in other slots than `replaced`.
 * @throws {DuplicateKey}
 */
export function checkRows(table: Table, rows: readonly Row[], replaced: Slots): void {
  for (const column of table.layout.uniques) checkColumn(table, column, rows, replaced)
}

/** Slots, whatever is known of them. */
type Slots = Pick<ReadonlySet<number>, 'has'>

const none: Slots = new Set()

function checkIds(table: Table, rows: readonly Row[]): void {
  const { id, makeKey } = table.layout
  if (id === undefined) return
  const seen = new Set<IdKey>()
  for (const row of rows) {
    const value = row[id.name]
    const key = makeKey(value)
    if (table.slots.has(key) || seen.has(key)) throw new DuplicateKey(table.model.name, id.name, value)
    if (rows.length > 1) seen.add(key)
  }
}

/** `replaced` are the rows that make room: what stands in their slots now does not count. */
function checkColumn(table: Table, column: Column, rows: readonly Row[], replaced: Slots): void {
  const hash = column.hash ?? buildHash(column, table.rows)
  const seen = new Set<ColumnKey>()
  for (const row of rows) {
    const value = row[column.name]
    const key = columnKey(column.kind, value)
    if (key === undefined) continue
    const isTaken = seen.has(key) || [...slotsOf(hash.get(key))].some((slot) => !replaced.has(slot))
    if (isTaken) throw new DuplicateKey(table.model.name, column.name, value)
    seen.add(key)
  }
}
