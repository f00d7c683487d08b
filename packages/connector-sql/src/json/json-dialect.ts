import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** How the keys in a column of lists are read. */
export interface KeyLists {
  /** The items of a list, for a `from`. */
  readonly items: (list: Sql) => Sql
  /** The key that an item is. */
  readonly keyOf: (item: Sql) => Sql
  /** True for lists whose items are read here as they are in the process. */
  readonly holdsKeys: (list: Sql) => Sql
}

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
  readonly writeValue: (value: Sql, column: Column, type: string) => Sql | undefined
  /**
   * An expression that makes the statement fail, with a fault of the kind `tooLarge`, where it is evaluated for a text; null for
   * null.
   */
  readonly refuse: (text: Sql, exceeded: 'rows' | 'bytes') => Sql
  /** Undefined where columns of these types are not lists, or hold no keys. */
  readonly keyLists: (listType: string, keyType: string) => KeyLists | undefined
}
