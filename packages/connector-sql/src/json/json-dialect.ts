import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** How a database writes values as JSON, for one that can write whole records. */
export interface JsonDialect {
  /** The columns of a table with their types, as `name` and `type`. */
  readonly listTypes: (table: SqlTable) => Sql
  /** A text that stands in the statement. */
  readonly literal: (text: string) => Sql
  /**
   * The JSON text of a value, as `JSON.stringify` makes it of what the driver returns; null for a value that the database
   * writes in another way. Undefined where it writes no value of this type as JavaScript does: lists and objects are among these.
   */
  readonly writeValue: (value: Sql, column: Column, type: string) => Sql | undefined
  /**
   * An expression that makes the statement fail, with a fault of the kind `tooLarge`, where it is evaluated for a text; null for
   * null.
   */
  readonly refuse: (text: Sql, exceeded: 'rows' | 'bytes') => Sql
}
