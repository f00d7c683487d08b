import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Collection, Connector, ModelType } from '@modelwire/core/connector'
import { createTestDatabase, type TestDatabase } from '@modelwire/connector-tests/mongodb'
import type { Db } from 'mongodb'
import type { Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

/** Models on a database of their own. */
export interface OpenModels {
  readonly database: TestDatabase
  readonly connector: Connector
  readonly registry: ModelRegistry
  /** The database as somebody else sees it. */
  readonly db: Db
  readonly model: (name: string) => ModelType
  readonly collection: (name: string) => Collection
}

/** Opens a database with models; `compat` as an application folder of LoopBack has them. */
export async function openModels(
  t: Test,
  definitions: readonly ModelDefinition[],
  settings: Readonly<Record<string, unknown>> = {},
  { compat = false }: { compat?: boolean } = {}
): Promise<OpenModels> {
  const database = await createTestDatabase()
  const registry = new ModelRegistry({ compat })
  for (const definition of definitions) registry.define(definition)
  const connector = mongodb({ url: database.url, ...settings })
  t.teardown(async () => {
    await connector.disconnect()
    await database.drop()
  })
  registry.addDataSource('db', connector)
  for (const { name } of definitions) registry.attach(name, 'db')
  await connector.connect()
  const model = (name: string): ModelType => registry.typeOf(name)
  return {
    database,
    connector,
    registry,
    db: database.client.db(),
    model,
    collection: (name) => collectionOf(model(name))
  }
}

function collectionOf({ name, collection }: ModelType): Collection {
  if (collection === undefined) throw new Error(`${name} is not attached`)
  return collection
}
