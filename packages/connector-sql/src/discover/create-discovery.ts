import type { ModelDefinition } from '@modelwire/core'
import type { DiscoverOptions, Discovery, DiscoveryPlace } from '@modelwire/core/connector'
import { defaultUndeclaredColumn } from '../table/undeclared.ts'
import type { TableName } from './catalog-dialect.ts'
import { describeModel } from './describe-model.ts'
import { describeTable, type TableDescription } from './describe-table.ts'
import { conventionalName } from './name-of.ts'
import { nameTables } from './naming.ts'
import { readColumns, readForeignKeys, readTables, type CatalogContext } from './read-catalog.ts'

/** What reads the tables of a database. `defaultSchema` is that of tables whose model names none. */
export function createDiscovery(context: CatalogContext, defaultSchema: string | undefined): Discovery {
  const { dialect } = context
  const tableOf = (name: string, { schema = defaultSchema }: DiscoveryPlace): TableName => ({ name, schema })
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
  const names = tables ?? (await readTables(context, schema, views)).map(({ name }) => name)
  const descriptions: TableDescription[] = []
  for (const name of new Set(names)) {
    const description = await describeTable(context, { name, schema })
    if (description !== undefined) descriptions.push(description)
  }
  const naming = nameTables(descriptions, nameOf)
  return descriptions.map((description) =>
    describeModel({ ...description, dialect: context.dialect, defaultSchema, naming })
  )
}
