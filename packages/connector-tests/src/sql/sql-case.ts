import { ModelRegistry, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { conditionsOn, filterOf } from '../conditions.ts'
import type { RunCase } from '../test-case.ts'

/** What databases that speak SQL answer in their own way: for `differences` of `connectorTests`. */
export const sqlDifferences: Readonly<Record<string, RunCase>> = {
  // A column has null for both.
  'what is absent is told from null': async (t, { collections }) => {
    await collections.Item.insert([{ name: null }])
    const [row] = await collections.Item.find(filterOf({}))
    t.equal(row?.['name'], null)
    t.equal(row?.['price'], null)
  },
  // Null stands before all numbers, 0 and less included, as the databases order it.
  'null is zero in an order': async (t, { models, collections }) => {
    await collections.Item.insert([{ price: 1 }, { price: -1 }, { price: null }, { price: 0 }, {}])
    const { order } = conditionsOn(models.Item)
    const prices = async (clause: string): Promise<unknown[]> =>
      (await collections.Item.find(filterOf({ order: order(clause) }))).map(({ price }) => price)
    t.same(await prices('price'), [null, null, -1, 0, 1])
    t.same(await prices('-price'), [1, 0, -1, null, null])
  }
}

/** What a database calls a setting, and how to read it. */
export interface SessionProbe {
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
  /** A setting with a value other than the default. */
  readonly session: Readonly<Record<string, string | number | boolean>>
  /** Reads it on a connection of the connector. */
  readonly read: (connector: Connector) => Promise<unknown>
}

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
  /** Checks are added to existing tables; true when absent. */
  readonly makesChecks?: boolean
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

/** Settings of the server's own that connections start with. */
export async function sessionTests(t: Test, { create, session, read }: SessionProbe): Promise<void> {
  const [value] = Object.values(session)

  await t.test('each connection starts with the settings of the data source', async (t) => {
    const connector = create({ session })
    t.teardown(() => connector.disconnect())
    await connector.connect()
    t.equal(String(await read(connector)), String(value))
    const inTransaction = await connector.transaction?.(async () => read(connector))
    t.equal(String(inTransaction), String(value))
  })

  await t.test('a setting that the server does not know keeps it from starting, with a code', async (t) => {
    const connector = create({ session: { no_such_setting_here: 1 } })
    t.teardown(() => connector.disconnect())
    await t.rejects(connector.connect(), { code: 'DATABASE_FAILED', statusCode: 500 })
  })

  await t.test('what is no name of a setting is refused', async (t) => {
    t.throws(() => create({ session: { "x' ; --": 1 } }), { code: 'OPTION_INVALID' })
    t.throws(() => create({ session: { work_mem: { a: 1 } } }), { code: 'OPTION_INVALID' })
  })
}
