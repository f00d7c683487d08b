import type { RawRow } from '../statement/statement-result.ts'

/** What the database says of a column. */
export interface StoredColumn {
  readonly type: string
  /** An index begins with it that has nulls where the database puts them by itself, as those of other programs do. */
  readonly isPlainlyIndexed: boolean
}

/** The columns that a table has in the database, by their names. */
export type ColumnTypes = ReadonlyMap<string, StoredColumn>

/** Reads what a catalog lists: columns, as `name`, `type`, and `plain` where nulls have a place in orders. */
export function readColumnTypes(rows: readonly RawRow[]): ColumnTypes {
  return new Map(
    rows.map(({ name, type, plain }) => [String(name), { type: String(type), isPlainlyIndexed: plain === true }])
  )
}
