import type { Sql } from '../sql.ts'
import type { Column, SqlTable } from '../table/sql-table.ts'

/** How a database creates tables. */
export interface SchemaDialect {
  /** Makes the schema of a table where there is none; undefined where schemas are not made here. */
  readonly createSchema: (schema: string) => Sql | undefined
  /** The type of a column, as it stands in `create table`. `isKey`: part of a key or an index. */
  readonly columnType: (column: Column, isKey: boolean) => string
  /** Type and key of an id that the database makes. */
  readonly generatedId: string
  /** What stands behind the columns of `create table`. */
  readonly tableOptions: string
  /** The columns of an existing table, as `name`; none when there is no table. */
  readonly listColumns: (table: SqlTable) => Sql
  /** The indexes of a table: `columns` has their names with commas between them. */
  readonly listIndexes: (table: SqlTable) => Sql
  /** A column within an index, in the order that queries ask for. */
  readonly indexColumn: (column: Column, descending: boolean) => Sql
  /** `create index … on …`: databases put the schema in different places. */
  readonly placeIndex: (kind: Sql, name: string, table: SqlTable, columns: Sql) => Sql
}
