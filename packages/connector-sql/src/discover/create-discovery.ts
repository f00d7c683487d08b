import type { DiscoverOptions, Discovery, DiscoveryPlace, ModelDefinition } from '@modelwire/core'
import { defaultUndeclaredColumn } from '../table/undeclared.ts'
import type { TableName } from './catalog-dialect.ts'
import { discoverModel } from './discover-model.ts'
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
    discoverModels: async (options) => discoverModels(context, options, defaultSchema)
  }
}

async function discoverModels(
  context: CatalogContext,
  { schema, tables, views = false, nameOf }: DiscoverOptions,
  defaultSchema: string | undefined
): Promise<ModelDefinition[]> {
  const place = schema ?? defaultSchema
  const names = tables ?? (await readTables(context, place, views)).map(({ name }) => name)
  const definitions: ModelDefinition[] = []
  for (const name of names) {
    const definition = await discoverModel(context, { name, schema: place }, { defaultSchema, nameOf })
    if (definition !== undefined) definitions.push(definition)
  }
  return definitions
}
