import { ModelRegistry, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'

/** A connector with transactions under test. */
export interface TransactionTestsOptions {
  readonly name: string
  /** Makes a connector to a database that this run has for itself, with more settings. */
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
}

/** The SQL connector under test. */
export interface SqlTestsOptions extends TransactionTestsOptions {
  /** The key of model files below which tables and columns are described. */
  readonly mappingKey: string
  /** The database's own ids go on above those that were chosen; true when absent. */
  readonly countsChosenIds?: boolean
  /** Statements that insert many records whose ids the database makes; 1 when absent. */
  readonly insertMany?: number
  /** Ids that the database makes are whole numbers that SQL's own words count. */
  readonly makesIdentities?: boolean
  /** Statements of an upsert, as documented. */
  readonly upsert: { readonly patch: number; readonly insert: number }
}

/** One thing that every SQL connector does. */
export type SqlCase = CaseOf<SqlTestsOptions>

/** One thing that every connector with transactions does. */
export type TransactionCase = CaseOf<TransactionTestsOptions>

interface CaseOf<Options> {
  /** A sentence of behaviour. */
  readonly name: string
  readonly run: (t: Test, options: Options) => Promise<void>
}

/** Models in a database, and the statements that were run on it. */
export interface OpenModels {
  readonly registry: ModelRegistry
  /** Filled as statements run; empty it to count from there. */
  readonly statements: string[]
}

/** A model of books: `title`, `pages`, `tags`, `meta`, with a number id that the database makes. */
export const book: ModelDefinition = {
  name: 'SqlBook',
  properties: {
    id: { type: 'number', id: true, generated: true },
    title: { type: 'string', index: true },
    isbn: { type: 'string', unique: true },
    pages: 'number',
    tags: ['string'],
    meta: 'object',
    place: 'geopoint'
  }
}

/** Opens models whose tables are made anew, unless `migrates` or `empty` is false, and closes them with the test. */
export async function openModels(
  t: Test,
  { create }: TransactionTestsOptions,
  definitions: readonly ModelDefinition[] = [book],
  { empty = true, migrates = true, ...settings }: Readonly<Record<string, unknown>> = {}
): Promise<OpenModels> {
  const statements: string[] = []
  const registry = new ModelRegistry()
  const connector = create({ ...settings, onStatement: (statement: string) => statements.push(statement) })
  registry.addDataSource('db', connector)
  for (const definition of definitions) {
    registry.define(definition)
    registry.attach(definition.name, 'db')
  }
  t.teardown(() => registry.disconnect())
  await registry.connect()
  const models = definitions.map(({ name }) => registry.typeOf(name))
  if (migrates === true) await connector.migrate?.(models, { empty: empty === true })
  statements.length = 0
  return { registry, statements }
}
