import type { DiscoveredColumn, DiscoveredForeignKey, DiscoveredPrimaryKey } from '@modelwire/core/connector'
import type { TableName } from './catalog-dialect.ts'
import { readColumns, readForeignKeys, readIndexes, type CatalogContext, type CatalogIndex } from './read-catalog.ts'

/** The description of a table in the catalog. */
export interface TableDescription {
  readonly table: TableName
  /** In their order; at least one. */
  readonly columns: readonly DiscoveredColumn[]
  readonly keys: readonly DiscoveredPrimaryKey[]
  readonly foreignKeys: readonly DiscoveredForeignKey[]
  readonly indexes: readonly CatalogIndex[]
}

/** Undefined when there is no such table. */
export async function describeTable(context: CatalogContext, table: TableName): Promise<TableDescription | undefined> {
  const foreignKeys = await readForeignKeys(context, table)
  // MySQL makes an index of its own for each foreign key.
  const indexes = (await readIndexes(context, table)).filter(({ name }) =>
    foreignKeys.every(({ fkName }) => fkName !== name)
  )
  const { columns, keys } = await readColumns(context, table)
  return columns.length === 0 ? undefined : { table, columns, keys, foreignKeys, indexes }
}
