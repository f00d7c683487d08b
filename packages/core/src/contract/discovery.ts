import type { ModelDefinition } from '../definition/model-definition.ts'

/** A table or view, in LoopBack's terms. */
export interface DiscoveredTable {
  readonly type: 'table' | 'view'
  readonly name: string
  /** The schema. */
  readonly owner: string | undefined
}

/** A column, in LoopBack's terms. */
export interface DiscoveredColumn {
  readonly owner: string | undefined
  readonly tableName: string
  readonly columnName: string
  /** The database's name of the type. */
  readonly dataType: string
  readonly dataLength: number | null
  readonly dataPrecision: number | null
  readonly dataScale: number | null
  readonly nullable: 'Y' | 'N'
  /** The property type for such values: for lists, a list of the type of their items. */
  readonly type: string | readonly [items: string]
  /** The words of an enumeration; absent for another type. */
  readonly words?: readonly string[]
  /** The database computes the value from others: it cannot be written. */
  readonly computed?: true
  /** Records without a value get one of the database: a constant, or the result of an expression. */
  readonly hasDefault?: true
  /** The database generates the value: `true` by counting (a sequence, AUTO_INCREMENT), or as an identity column. */
  readonly generated: boolean | 'identity'
}

/** A column of a primary key, in LoopBack's terms. */
export interface DiscoveredPrimaryKey {
  readonly owner: string | undefined
  readonly tableName: string
  readonly columnName: string
  /** Its place in the key, from 1. */
  readonly keySeq: number
  readonly pkName: string
}

/** A column of a foreign key, in LoopBack's terms. */
export interface DiscoveredForeignKey {
  readonly fkName: string
  readonly fkOwner: string | undefined
  readonly fkTableName: string
  readonly fkColumnName: string
  readonly keySeq: number
  readonly pkOwner: string | undefined
  readonly pkTableName: string
  readonly pkColumnName: string
  /** What happens when the referenced record is deleted: `cascade`, `set null`, … */
  readonly onDelete: string | undefined
}

/** Where to look for tables. */
export interface DiscoveryPlace {
  /** The data source's own when absent. */
  readonly schema?: string | undefined
}

/** Which tables become models. */
export interface DiscoverOptions {
  /** The schema, or several whose tables refer to each other; the data source's own when absent. */
  readonly schema?: string | readonly string[] | undefined
  /** Names of tables; all of them when absent. */
  readonly tables?: readonly string[] | undefined
  /** Also create models for views. */
  readonly views?: boolean | undefined
  /** Derives the name of a model or property from one in the database. */
  readonly nameOf?: ((kind: 'model' | 'property' | 'relation', name: string) => string) | undefined
}

/** Reads the schema of a database. */
export interface Discovery {
  /** The key of model files that describes tables and columns. */
  readonly mappingKey: string
  /** The column for undeclared properties; absent if records are documents, which can contain anything. */
  readonly undeclaredColumn?: string
  listTables(options: DiscoveryPlace & { readonly views?: boolean | undefined }): Promise<DiscoveredTable[]>
  /** Empty if the table does not exist. */
  listColumns(table: string, place: DiscoveryPlace): Promise<DiscoveredColumn[]>
  listPrimaryKeys(table: string, place: DiscoveryPlace): Promise<DiscoveredPrimaryKey[]>
  listForeignKeys(table: string, place: DiscoveryPlace): Promise<DiscoveredForeignKey[]>
  /** Model definitions for tables, as in model files. */
  discoverModels(options: DiscoverOptions): Promise<ModelDefinition[]>
}
