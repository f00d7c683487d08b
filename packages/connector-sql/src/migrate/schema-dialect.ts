import type { Sql } from '../sql.ts'
import type { ColumnKind } from '../table/column-kind.ts'
import type { Column } from '../table/column.ts'
import type { RawRow } from '../statement/statement-result.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { MigrationLock } from './migration-lock.ts'

/** What an index leaves behind that could not be made, and how to get rid of it. */
export interface OnlineIndex {
  /** Gives a row where there is such a rest. */
  readonly findInvalid: Sql
  readonly drop: Sql
}

/** How indexes are made of tables with records while others write, where that cannot be a part of the migration's transaction. */
export interface OnlineIndexes {
  /** What stands behind `create index`. */
  readonly kind: Sql
  /** How two processes are kept from doing so at once. */
  readonly lock: MigrationLock
  /** Has the connection give up where it waits for others longer than these milliseconds; undefined: as long as it takes. */
  readonly limitWaits: (milliseconds: number | undefined) => Sql
  readonly indexOf: (name: string, table: SqlTable) => OnlineIndex
}

/** How two names are distinguished. */
export interface NameRules {
  /** Equal for all ways to write the name of one column or index. */
  readonly fold: (name: string) => string
  /** Equal for all ways to write the name of one table. */
  readonly foldTable: (name: string) => string
  /** What has names of which a schema has each once, and a statement that lists those as `name`. Others belong to a table. */
  readonly shared: { readonly of: 'indexes' | 'foreignKeys'; readonly list: (schema: string | undefined) => Sql }
}

/** How schemas are made. */
export interface Schemas {
  /** Gives a row where the schema is there. */
  readonly find: (schema: string) => Sql
  readonly create: (schema: string) => Sql
}

/** What stands behind the columns of `create table`. */
export interface TableOptions {
  readonly text: string
  /** The collation of the new columns, where keys have to share one. */
  readonly collation?: string
}

/** How a database creates tables. */
export interface SchemaDialect {
  readonly names: NameRules
  /** Absent where schemas are not made here. */
  readonly schemas?: Schemas
  /** A value as it stands in a statement that takes no parameters; undefined for one that cannot. */
  readonly literal: (kind: ColumnKind, value: unknown) => string | undefined
  /** The present time as the default of a column of that type; undefined where none is that a new column can have. */
  readonly now?: ((type: string) => string | undefined) | undefined
  /** The present time as a value of a record, where it cannot be the default of a new column. */
  readonly presentTime?: Sql
  /**
   * Texts of a model without a length may be longer than these allow: others were chosen on purpose. Absent: lengths do
   * not count.
   */
  readonly defaultLengths?: readonly number[]
  /** The type of a column, as it stands in `create table`. `isKey`: part of a key or an index. */
  readonly columnType: (column: Column, isKey: boolean) => string
  /** A type that a model file names without its digits, with digits that round nothing; absent where it needs none. */
  readonly sizeType?: (type: string) => string
  /** Type and key of an id that the database makes. */
  readonly generatedId: (column: Column) => string
  /** The same where the key has more columns. */
  readonly generatedIdInKey?: (column: Column) => string
  /** Has the cluster distribute the records of a new table; absent where tables are whole. */
  readonly distribute?: (table: SqlTable, by: Column) => Sql
  /** The type of a column that refers to such an id. */
  readonly generatedType: (column: Column) => string
  /** Keys of relations have the type of such an id: columns of two types of number cannot be joined by an index. */
  readonly sharesKeyTypes?: boolean
  /** `alter table … add constraint` makes foreign keys; else they are part of `create table`. */
  readonly addsForeignKeys: boolean
  /** What stands between `alter table …` and the name of a foreign key to drop it. */
  readonly dropForeignKey: string
  /** How two processes are kept from migrating at once. */
  readonly lock: MigrationLock
  /** False for a text of several statements, where the driver would run the first one only; absent where it refuses them itself. */
  readonly isOneStatement?: (text: string) => boolean
  /** What stands behind the columns of `create table`, where the answer of the server to a question decides; absent: nothing. */
  readonly tableOptions?: { readonly ask: Sql; readonly read: (rows: readonly RawRow[]) => TableOptions }
  /**
   * The columns of an existing table, none when there is no table: `name`, `type`, `relation` (`view`, `partitioned` or
   * `table`), and as 1 or 0 `is_required` and `is_key`. `has_default` is 0, 1, or 2 for what the database counts or
   * computes. `rest` is the rest of a column's definition, needed when its type changes; `collation` is that of a text where
   * keys have to share one, and `wide` names what takes different texts of the column for equal.
   */
  readonly listColumns: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** Absent where creating an index does not block writes, or is made within the migration. */
  readonly online?: OnlineIndexes
  /** The same text for the same type, however it is written. */
  readonly normalType: (type: string) => string
  /** Gives a column another type; absent where a longer one is not needed. */
  readonly changeType?: (
    table: SqlTable,
    column: Column,
    type: string,
    existing: { isRequired: boolean; rest: string }
  ) => Sql
  /** The foreign keys of a table, a row per column in order: `name`, `column_name`, `target`, `target_column`, `target_schema`, `on_delete`. */
  readonly listForeignKeys: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /**
   * The indexes of a table: `name`; `columns` has their names with commas between them; 1 or 0 are `is_unique`, `is_primary`, `is_constraint` (it
   * is dropped with its constraint) and `is_plain`: it is of all records, in use, and of nothing but columns.
   */
  readonly listIndexes: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** A column within an index, in the order that queries use. `type` is the column's in the database. */
  readonly indexColumn: (column: Column, descending: boolean, of: { type: string; unique: boolean }) => Sql
  /** `how` stands behind the words. */
  readonly dropIndex: (name: string, table: SqlTable, how: Sql) => Sql
  /** `create index … on …`: databases put the schema in different places. */
  readonly placeIndex: (kind: Sql, name: string, table: Pick<SqlTable, 'name' | 'schema' | 'sql'>, columns: Sql) => Sql
}
