import type { Sql } from '../sql.ts'
import type { Column, SqlTable } from '../table/sql-table.ts'
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
  readonly indexOf: (name: string, table: SqlTable) => OnlineIndex
}

/** How a database creates tables. */
export interface SchemaDialect {
  /** Makes the schema of a table where there is none; undefined where schemas are not made here. */
  readonly createSchema: (schema: string) => Sql | undefined
  /** The type of a column, as it stands in `create table`. `isKey`: part of a key or an index. */
  readonly columnType: (column: Column, isKey: boolean) => string
  /** Type and key of an id that the database makes. */
  readonly generatedId: (column: Column) => string
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
  /** What stands behind the columns of `create table`. */
  readonly tableOptions: string
  /** The columns of an existing table: `name`, `type`, and `is_required`, which is 1 or 0; none when there is no table. */
  readonly listColumns: (table: SqlTable) => Sql
  /** Absent where an index keeps nobody from writing, or is made within the migration. */
  readonly online?: OnlineIndexes
  /** The same text for the same type, however it is written. */
  readonly normalType: (type: string) => string
  /** Gives a column another type; absent where a longer one is not needed. */
  readonly changeType?: (table: SqlTable, column: Column, type: string, isRequired: boolean) => Sql
  /** The foreign keys of a table, a row per column in order: `name`, `column_name`, `target`, `target_column`, `target_schema`, `on_delete`. */
  readonly listForeignKeys: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** The indexes of a table: `columns` has their names with commas between them; `is_unique` and `is_primary` are 1 or 0; `name`. */
  readonly listIndexes: (table: Pick<SqlTable, 'name' | 'schema'>) => Sql
  /** A column within an index, in the order that queries ask for. */
  readonly indexColumn: (column: Column, descending: boolean) => Sql
  /** `create index … on …`: databases put the schema in different places. */
  readonly placeIndex: (kind: Sql, name: string, table: SqlTable, columns: Sql) => Sql
}
