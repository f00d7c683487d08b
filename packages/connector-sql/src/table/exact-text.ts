import type { Sql } from '../sql.ts'
import type { ColumnTypes } from './column-types.ts'
import type { Column, ExactText } from './column.ts'
import { type SqlTable, withColumns } from './sql-table.ts'

/** Which columns need that, and how it is written. */
export interface Exactness extends ExactText {
  /**
   * The columns of a table as `name`, `plain` (see `StoredColumn`) where `direction` places nulls, and `type`, which is equal where
   * columns hold keys that can be compared: `number` for all numbers, and beginning with `text` for texts that can be compared with
   * those of JSON.
   */
  readonly listTypes: (table: SqlTable) => Sql
  /** The database takes only the same characters in a column of this type for equal. */
  readonly isExact: (type: string) => boolean
}

/** Why the column, which holds texts, is not compared by their characters: its type; undefined where it is. */
export function wideType({ isExact }: Exactness, types: ColumnTypes, column: Column): string | undefined {
  const type = types.get(column.name)?.type
  return column.kind !== 'text' || type === undefined || isExact(type) ? undefined : type
}

/**
 * The table with columns that know how the database has them: those whose texts have to be compared exactly, which are all where
 * that is unknown, and those with an index as other programs make it.
 */
export function withStored(table: SqlTable, exactness: Exactness, types: ColumnTypes | undefined): SqlTable {
  const needsIt = (column: Column): boolean =>
    column.kind === 'text' && (types?.has(column.name) !== true || wideType(exactness, types, column) !== undefined)
  const isPlainlyIndexed = ({ name }: Column): boolean => types?.get(name)?.isPlainlyIndexed === true
  if (!table.columns.some((column) => needsIt(column) || isPlainlyIndexed(column))) return table
  return withColumns(table, (column) => ({
    ...column,
    ...(needsIt(column) && { exactly: exactness }),
    ...(isPlainlyIndexed(column) && { isPlainlyIndexed: true })
  }))
}
