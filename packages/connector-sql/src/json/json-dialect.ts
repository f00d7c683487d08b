import type { Sql } from '../sql.ts'
import type { ColumnKind } from '../table/column-kind.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** How a database writes values as JSON, for one that can write whole records. */
export interface JsonDialect {
  /** The columns of a table with their types, as `name` and `type`. */
  readonly listTypes: (table: SqlTable) => Sql
  /** A text that stands in the statement. */
  readonly literal: (text: string) => Sql
  /**
   * The JSON text of a value, as `JSON.stringify` makes it of what the driver returns; null for a value that the database
   * writes in another way. Undefined where it writes no value of this type as JavaScript does.
   */
  readonly writeValue: (value: Sql, kind: ColumnKind, type: string) => Sql | undefined
}
