import type { Sql } from '../sql.ts'

/** A table by its names in the database. */
export interface TableName {
  readonly name: string
  readonly schema: string | undefined
}

/** The type of a column in the catalog. */
export interface CatalogType {
  /** In lower case, without lengths; with them where they determine the type, as in `tinyint(1)`. */
  readonly name: string
  readonly length: number | null
  /** Part of a key or an index. */
  readonly isKey: boolean
}

/** How the catalog of a database is read. */
export interface CatalogDialect {
  /** Tables, and views where they are wanted, by name: `name`, `owner`, `type` (`table` or `view`). */
  readonly listTables: (schema: string | undefined, views: boolean) => Sql
  /**
   * The columns of a table in order: `name`, `data_type`, `length`, `num_precision`, `num_scale`; `nullable`, `is_generated`
   * and `is_identity`, each 1 or 0; `key_position` in the primary key from 1, else 0 or null; `key_name`.
   */
  readonly describeColumns: (table: TableName) => Sql
  /** The type of a property that holds the values of a column. */
  readonly propertyType: (dataType: string) => string
  /** True where a migration makes this type of column for such a property by default. */
  readonly isDefaultType: (type: CatalogType, propertyType: string) => boolean
  /** The length of a text in a key whose property has none. */
  readonly keyLength: number | undefined
}
