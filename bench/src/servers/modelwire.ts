import { memory } from '@modelwire/connector-memory'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import { makeProducts, makeReviews } from '../bench-data.ts'
import { addAccess, fillAccess, type Guarded } from './access-parts.ts'
import { defineModels } from './bench-models.ts'
import type { BenchServer } from './bench-server.ts'
import { fillPostgresql, type TableNames } from './fill-postgresql.ts'
import { addOps, type Observed } from './ops-parts.ts'

/** What is special about one Modelwire. */
export interface ModelwireSettings {
  /** `price` has an index. */
  readonly indexed: boolean
  readonly productsOnly?: boolean
  /** Rules of products; with some, `acl` and `users` are registered, too. */
  readonly guarded?: Guarded
  /** Whether metrics or traces are made. */
  readonly observed?: Observed
  /** An empty PostgreSQL database in place of memory. */
  readonly databaseUrl?: string
}

/** Modelwire as its users write it: the models above, the connector for memory, `relations`, `rest`. */
export async function buildModelwire(
  rows: number,
  { indexed, productsOnly = false, guarded = 'none', observed = 'not', databaseUrl }: ModelwireSettings
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const db = databaseUrl === undefined ? memory() : postgresql({ url: databaseUrl })
  await app.register(modelwire, { dataSources: { db }, models: defineModels({ indexed, guarded }) })
  if (guarded !== 'none') await addAccess(app, {})
  await addOps(app, observed)
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  const { Product, Review } = app.models
  await db.migrate?.([app.models.typeOf('Product'), app.models.typeOf('Review')], { empty: true })
  if (databaseUrl === undefined) {
    await fill(Product, makeProducts(rows))
    if (!productsOnly) await fill(Review, makeReviews(rows))
  } else await fillDatabase(databaseUrl, rows)
  if (guarded !== 'none') await fillAccess(app)
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => void (await Product.destroyAll({ id: { gt: rows } })),
    close: () => app.close()
  }
  return { app, server }
}

/** The names that the connector gives tables and columns. */
export const tableNames: TableNames = {
  products: 'product',
  inStock: 'instock',
  reviews: 'review',
  productId: 'productid',
  hasDetails: false
}

async function fillDatabase(connectionString: string, rows: number): Promise<void> {
  const pool = new Pool({ connectionString })
  await fillPostgresql(pool, rows, tableNames)
  await pool.end()
}

const batch = 10_000

/** What of a model class is used to fill it. */
interface Fillable {
  create(list: readonly object[]): Promise<unknown>
}

/** Ids are made by the connector; they come out as 1, 2, 3, … */
async function fill(model: Fillable, rows: readonly { id: number; created: string }[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batch) {
    await model.create(rows.slice(from, from + batch).map(({ id: _id, ...data }) => data))
  }
}
