import type { ModelDefinition } from '@modelwire/core'
import {
  canBeNamed,
  type DiscoveredColumn,
  type DiscoveredForeignKey,
  type DiscoveredPrimaryKey,
  type DiscoverOptions,
  type Discovery
} from '@modelwire/core/connector'
import type { MongoSession } from '../client/mongo-session.ts'
import { idField } from '../names/read-mapping.ts'
import { describeModel, conventionalName } from './describe-model.ts'
import { type CollectionDescription, describeCollection, readCollections } from './read-collection.ts'
import type { SampledField } from './sample-fields.ts'

/** Makes the discovery of a database: models are inferred from a sample of each collection's documents. */
export function createDiscovery(session: MongoSession): Discovery {
  const describe = async (table: string): Promise<CollectionDescription | undefined> => {
    const others = (await readCollections(session, false)).map(({ name }) => name)
    return others.includes(table) ? describeCollection(session, table, others) : undefined
  }
  return {
    mappingKey: 'mongodb',
    listTables: async ({ views = false }) => readCollections(session, views),
    listColumns: async (table) => (await describe(table))?.fields.map((field) => columnOf(table, field)) ?? [],
    listPrimaryKeys: async (table) => ((await describe(table)) === undefined ? [] : [keyOf(table)]),
    listForeignKeys: async (table) => foreignKeysOf(table, await describe(table)),
    discoverModels: async (options) => discoverModels(session, options)
  }
}

function columnOf(tableName: string, { name, kinds, type, isEverywhere }: SampledField): DiscoveredColumn {
  return {
    owner: undefined,
    tableName,
    columnName: name,
    dataType: kinds,
    dataLength: null,
    dataPrecision: null,
    dataScale: null,
    nullable: isEverywhere ? 'N' : 'Y',
    type: typeof type === 'string' ? type : 'array',
    generated: name === idField && kinds === 'objectId'
  }
}

const keyOf = (tableName: string): DiscoveredPrimaryKey => ({
  owner: undefined,
  tableName,
  columnName: idField,
  keySeq: 1,
  pkName: `${idField}_`
})

const foreignKeysOf = (table: string, description: CollectionDescription | undefined): DiscoveredForeignKey[] =>
  (description?.references ?? []).map(({ field, collection }) => ({
    fkName: `${table}_${field}`,
    fkOwner: undefined,
    fkTableName: table,
    fkColumnName: field,
    keySeq: 1,
    pkOwner: undefined,
    pkTableName: collection,
    pkColumnName: idField,
    onDelete: undefined
  }))

async function discoverModels(
  session: MongoSession,
  { tables, views = false, nameOf = conventionalName }: DiscoverOptions
): Promise<ModelDefinition[]> {
  const all = (await readCollections(session, views)).map(({ name }) => name)
  const names = tables ?? all
  const described: CollectionDescription[] = []
  for (const name of new Set(names)) {
    const description = all.includes(name) ? await describeCollection(session, name, all) : undefined
    if (description !== undefined) described.push(description)
  }
  const models = nameModels(all, (name) => nameOf('model', name))
  return described.map((each) => describeModel(each, (name) => models.get(name) ?? name, nameOf))
}

/** A model of its own for each collection: with a number behind it where another one has its name, or none may. */
function nameModels(collections: readonly string[], nameOf: (name: string) => string): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  for (const collection of collections) {
    const wanted = nameOf(collection)
    let free = wanted
    for (let number = 2; taken.has(free) || !canBeNamed('model', free); number++) free = `${wanted}${number}`
    taken.add(free)
    names.set(collection, free)
  }
  return names
}
