import type { RawRow } from '../statement/statement-result.ts'

/** The types that the columns of a table have in the database, by their names. */
export type ColumnTypes = ReadonlyMap<string, string>

/** Reads what a catalog lists: columns, as `name` and `type`. */
export function readColumnTypes(rows: readonly RawRow[]): ColumnTypes {
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]))
}
