import type { ModelDefinition } from '../definition/model-definition.ts'

/** A table or view, in LoopBack's words. */
export interface DiscoveredTable {
  readonly type: 'table' | 'view'
  readonly name: string
  /** The schema. */
  readonly owner: string | undefined
}

/** A column, in LoopBack's words. */
export interface DiscoveredColumn {
  readonly owner: string | undefined
  readonly tableName: string
  readonly columnName: string
  /** The type as the database calls it. */
  readonly dataType: string
  readonly dataLength: number | null
  readonly dataPrecision: number | null
  readonly dataScale: number | null
  readonly nullable: 'Y' | 'N'
  /** The type of a property that holds such values. */
  readonly type: string
  /** The database makes the value: by counting, or as an identity column. */
  readonly generated: boolean | 'identity'
}

/** A column of a primary key, in LoopBack's words. */
export interface DiscoveredPrimaryKey {
  readonly owner: string | undefined
  readonly tableName: string
  readonly columnName: string
  /** Its place in the key, from 1. */
  readonly keySeq: number
  readonly pkName: string
}

/** A column of a foreign key, in LoopBack's words. */
export interface DiscoveredForeignKey {
  readonly fkName: string
  readonly fkOwner: string | undefined
  readonly fkTableName: string
  readonly fkColumnName: string
  readonly keySeq: number
  readonly pkOwner: string | undefined
  readonly pkTableName: string
  readonly pkColumnName: string
  /** What happens to it when the record goes that it refers to: `cascade`, `set null`, … */
  readonly onDelete: string | undefined
}

/** Where tables are looked for. */
export interface DiscoveryPlace {
  /** The data source's own when absent. */
  readonly schema?: string | undefined
}

/** Which tables become models. */
export interface DiscoverOptions extends DiscoveryPlace {
  /** Names of tables; all of them when absent. */
  readonly tables?: readonly string[] | undefined
  /** Views become models, too. */
  readonly views?: boolean | undefined
  /** The name of a model or property for one of the database. */
  readonly nameOf?: ((kind: 'model' | 'property' | 'relation', name: string) => string) | undefined
}

/** Reads what a database has. */
export interface Discovery {
  /** Below this key, model files describe tables and columns. */
  readonly mappingKey: string
  /** The column that holds what models do not declare; absent where records are documents, which hold anything. */
  readonly undeclaredColumn?: string
  listTables(options: DiscoveryPlace & { readonly views?: boolean | undefined }): Promise<DiscoveredTable[]>
  /** None where there is no such table. */
  listColumns(table: string, place: DiscoveryPlace): Promise<DiscoveredColumn[]>
  listPrimaryKeys(table: string, place: DiscoveryPlace): Promise<DiscoveredPrimaryKey[]>
  listForeignKeys(table: string, place: DiscoveryPlace): Promise<DiscoveredForeignKey[]>
  /** Definitions of models for tables, as they stand in model files. */
  discoverModels(options: DiscoverOptions): Promise<ModelDefinition[]>
}
