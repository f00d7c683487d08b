import type { TableName } from '../dialect/dialect.ts'
import type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoverOptions,
  Discovery
} from '@modelwire/core/connector'
import {
  readColumns,
  readForeignKeys,
  readIndexes,
  type CatalogContext,
  type CatalogIndex,
  readTables
} from './read-catalog.ts'
import type { ModelDefinition } from '@modelwire/core'
import { defaultUndeclaredColumn } from '../table/undeclared.ts'
import { describeModel } from './describe-model.ts'
import { nameTables } from './naming.ts'

/** The kind of name to derive. */
type NameKind = 'model' | 'property' | 'relation'

/** The description of a table in the catalog. */
export interface TableDescription {
  readonly table: TableName
  /** In order; at least one. */
  readonly columns: readonly DiscoveredColumn[]
  readonly keys: readonly DiscoveredPrimaryKey[]
  readonly foreignKeys: readonly DiscoveredForeignKey[]
  readonly indexes: readonly CatalogIndex[]
  /** Columns of foreign keys that no index of their own serves. */
  readonly unindexedKeys: ReadonlySet<string>
}

/** Makes the function that reads the tables of a database. `defaultSchema` is that of tables whose model does not name one. */
export function createDiscovery(context: CatalogContext, defaultSchema: string | undefined): Discovery {
  const { dialect } = context
  const tableOf = (name: string, { schema = defaultSchema }: { readonly schema?: string | undefined }): TableName => ({
    name,
    schema
  })
  return {
    mappingKey: dialect.mappingKeys[0] ?? dialect.name,
    undeclaredColumn: defaultUndeclaredColumn,
    listTables: async ({ schema = defaultSchema, views = false }) => readTables(context, schema, views),
    listColumns: async (table, place) => (await readColumns(context, tableOf(table, place))).columns,
    listPrimaryKeys: async (table, place) => (await readColumns(context, tableOf(table, place))).keys,
    listForeignKeys: async (table, place) => readForeignKeys(context, tableOf(table, place)),
    discoverModels: async (options) => discoverModels(context, defaultSchema, options)
  }
}

async function discoverModels(
  context: CatalogContext,
  defaultSchema: string | undefined,
  { schema = defaultSchema, tables, views = false, nameOf = conventionalName }: DiscoverOptions
): Promise<ModelDefinition[]> {
  const descriptions: TableDescription[] = []
  for (const place of new Set([schema].flat())) {
    const names = tables ?? (await readTables(context, place, views)).map(({ name }) => name)
    descriptions.push(...(await describeTables(context, place, names)))
  }
  const naming = nameTables(descriptions, nameOf)
  return descriptions.map((description) =>
    describeModel({ ...description, dialect: context.dialect, defaultSchema, naming })
  )
}

async function describeTables(
  context: CatalogContext,
  schema: string | undefined,
  names: readonly string[]
): Promise<TableDescription[]> {
  const descriptions: TableDescription[] = []
  for (const name of new Set(names)) {
    const description = await describeTable(context, { name, schema })
    if (description !== undefined) descriptions.push(description)
  }
  return descriptions
}

/** Reads the description of a table; undefined where it does not exist. */
async function describeTable(context: CatalogContext, table: TableName): Promise<TableDescription | undefined> {
  const foreignKeys = await readForeignKeys(context, table)
  const all = await readIndexes(context, table)
  // MySQL makes an index of its own for each foreign key.
  const indexes = all.filter(({ name }) => foreignKeys.every(({ fkName }) => fkName !== name))
  const { columns, keys } = await readColumns(context, table)
  const unindexed = foreignKeys.map(({ fkColumnName }) => fkColumnName).filter((name) => !all.some(isOf(name)))
  return columns.length === 0
    ? undefined
    : { table, columns, keys, foreignKeys, indexes, unindexedKeys: new Set(unindexed) }
}

const isOf =
  (column: string) =>
  ({ columns }: CatalogIndex): boolean =>
    columns.length === 1 && columns[0] === column

/**
 * The conventional name of a model (`order_item` → `OrderItem`) or property (`CREATED_AT`, `created-at` → `createdAt`).
 * Capitals within a word are kept.
 */
export function conventionalName(kind: NameKind, name: string): string {
  const words = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== '')
  const readable = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  const joined = readable.map((word, at) => (at === 0 ? word : capitalize(word))).join('')
  if (kind === 'model') return capitalize(joined)
  // Conditions take a name that begins so for an operator.
  const plain = joined.replace(/^\$+/, '')
  return plain.charAt(0).toLowerCase() + plain.slice(1)
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
