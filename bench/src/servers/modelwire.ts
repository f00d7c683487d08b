import { memory } from '@modelwire/connector-memory'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { eachProduct, makeReviews } from '../bench-data.ts'
import type { SqlDatabase } from '../databases.ts'
import { addAccess, fillAccess, type Guarded } from './access-parts.ts'
import { defineModels } from './bench-models.ts'
import type { BenchServer } from './bench-server.ts'
import { type BenchTable, type BenchTables, benchTables, type TablesKind } from './bench-tables.ts'
import { fillTables } from './fill-tables.ts'
import { addOps, type Observed } from './ops-parts.ts'
import { openDriver, type SqlDriver } from './sql-drivers.ts'

/** An empty database with tables. */
export interface OnTables {
  readonly database: SqlDatabase
  readonly databaseUrl: string
  readonly tables: TablesKind
}

/** What is special about one Modelwire. */
export interface ModelwireSettings {
  /** `price` has an index. */
  readonly indexed: boolean
  readonly productsOnly?: boolean
  /** Rules of products; with some, `acl` and `users` are registered, too. */
  readonly guarded?: Guarded
  /** Whether metrics or traces are made. */
  readonly observed?: Observed
  /** In place of memory. */
  readonly on?: OnTables
}

const streamsAtOnce = 100_000

const connectors = { postgresql, mysql }

/** Modelwire as its users write it: the models, a connector, `relations`, `rest`. */
export async function buildModelwire(
  rows: number,
  { indexed, productsOnly = false, guarded = 'none', observed = 'not', on }: ModelwireSettings
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const db = on === undefined ? memory() : connectors[on.database]({ url: on.databaseUrl })
  const isLoopBack = on?.tables === 'loopback'
  const models = isLoopBack ? loopbackModels : defineModels({ indexed: indexed || on !== undefined, guarded })
  const rules = isLoopBack ? ({ version: 3, compat: true } as const) : {}
  await app.register(modelwire, { dataSources: { db }, models, ...rules })
  if (guarded !== 'none') await addAccess(app, {})
  await addOps(app, observed)
  await app.register(relations)
  // All streams of the benchmark are one caller's.
  await app.register(rest, { prefix: '/api', streams: { perCaller: streamsAtOnce, perProcess: streamsAtOnce } })
  // They are the same models with and without LoopBack's rules.
  const [Product, Review] = [app.models.get('Product'), app.models.get('Review')]
  const fillAll = async (): Promise<void> => {
    await fill(Product, eachProduct(rows))
    if (!productsOnly) await fill(Review, makeReviews(rows))
  }
  if (!isLoopBack) await db.migrate?.([app.models.typeOf('Product'), app.models.typeOf('Review')], { empty: true })
  const driver = on && openDriver(on.database, on.databaseUrl)
  if (on === undefined || driver === undefined) await fillAll()
  else await prepareTables(driver, on, rows)
  if (guarded !== 'none') await fillAccess(app)
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => {
      await Product.destroyAll({ id: { gt: rows } })
      if (on !== undefined) await driver?.tidy(tablesOf(on).products.name)
    },
    close: async () => {
      await app.close()
      await driver?.close()
    }
  }
  return { app, server }
}

/** Makes LoopBack's tables, and fills those or ours. */
async function prepareTables(driver: SqlDriver, on: OnTables, rows: number): Promise<void> {
  if (on.tables === 'loopback')
    for (const statement of benchTables[on.database].loopback.create) await driver.run(statement)
  await fillTables(driver, rows, tablesOf(on))
}

/** The tables that the connector makes, which have other names than those of the hand-written server. */
export function ourTables(database: SqlDatabase): Pick<BenchTables, 'products' | 'reviews'> {
  const { own } = benchTables[database]
  const nameOf = (name: string): string => (database === 'mysql' ? name : name.toLowerCase())
  const tableOf = (name: string, { columns }: BenchTable): BenchTable => ({
    name: nameOf(name),
    columns: columns.map((column) => ({ ...column, column: nameOf(column.name) }))
  })
  return { products: tableOf('Product', own.products), reviews: tableOf('Review', own.reviews) }
}

const tablesOf = ({ database, tables }: OnTables): Pick<BenchTables, 'products' | 'reviews'> =>
  tables === 'loopback' ? benchTables[database].loopback : ourTables(database)

const required = (type: string): { type: string; required: true } => ({ type, required: true })
const exact = { dataType: 'decimal', dataPrecision: 10, dataScale: 2 }

/** The models as LoopBack made the tables of them. */
const loopbackModels: readonly ModelDefinition[] = [
  {
    name: 'Product',
    public: true,
    properties: {
      name: required('string'),
      description: required('string'),
      price: { ...required('number'), postgresql: { dataType: 'float' }, mysql: { dataType: 'double' } },
      inStock: required('boolean'),
      category: required('string'),
      stock: required('number'),
      weight: { ...required('string'), postgresql: exact, mysql: exact },
      created: required('date'),
      tags: ['string'],
      size: 'object',
      changed: { type: 'date', postgresql: { dataType: 'timestamp' } }
    },
    relations: { reviews: { type: 'hasMany', model: 'Review', foreignKey: 'productId' } }
  },
  {
    name: 'Review',
    public: true,
    properties: {
      productId: required('number'),
      author: required('string'),
      stars: required('number'),
      text: required('string'),
      created: required('date')
    }
  }
]

const batch = 10_000

/** What of a model class is used to fill it. */
interface Fillable {
  create(list: readonly object[]): Promise<unknown>
}

/** Ids are made by the connector; they come out as 1, 2, 3, … */
async function fill(model: Fillable, rows: Iterable<{ id: number; created: string }>): Promise<void> {
  let list: object[] = []
  for (const { id: _id, ...data } of rows) {
    list.push(data)
    if (list.length < batch) continue
    await model.create(list)
    list = []
  }
  if (list.length > 0) await model.create(list)
}
