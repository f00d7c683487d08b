import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import type { Product, Review } from '../bench-data.ts'
import type { BenchServer } from './bench-server.ts'
import { type BenchTables, benchTables, type TablesKind } from './bench-tables.ts'
import { fillPostgresql } from './fill-postgresql.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'
import { detailedSchemas, handwrittenSchemas } from './handwritten-schemas.ts'
import {
  countQuery,
  fixedStatements,
  listQuery,
  patchQuery,
  type Query,
  type Statement
} from './handwritten-statements.ts'
import { sendError, sendMissing } from './handwritten-errors.ts'

/**
 * The leanest server over `pg` that a good engineer would write for these answers: prepared statements, rows as the driver
 * gives them, reviews by a second statement, compiled schemas for bodies and answers.
 */
export async function buildHandwrittenPostgresql(
  rows: number,
  databaseUrl: string,
  kind: TablesKind = 'own'
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const pool = new Pool({ connectionString: databaseUrl })
  // The database is dropped after the server, at times while connections still close.
  pool.on('error', () => {})
  const tables = benchTables[kind]
  await pool.query(tables.create)
  await fillPostgresql(pool, rows, tables.names)
  app.setErrorHandler((error: FastifyError, _, reply) =>
    sendError(reply, error.validation ? 422 : (error.statusCode ?? 500), error.message)
  )
  addReadRoutes(app, { pool, tables })
  if (!tables.names.hasDetails) addWriteRoutes(app, { pool, tables })
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => void (await pool.query(`delete from ${tables.names.products} where id > $1`, [rows])),
    close: async () => {
      await app.close()
      await pool.end()
    }
  }
  return { app, server }
}

/** Where the records are. */
interface Shop {
  readonly pool: Pool
  readonly tables: BenchTables
}

async function find<Row>(pool: Pool, { name, text, values }: Query): Promise<Row[]> {
  // The statements name the columns of these rows.
  const { rows } = await pool.query({ name, text, values: values as unknown[] })
  return rows as Row[]
}

function addReadRoutes(app: FastifyInstance, { pool, tables }: Shop): void {
  const statements = fixedStatements(tables)
  const schemas = tables.names.hasDetails ? detailedSchemas : handwrittenSchemas
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/api/Products/:id',
    schema: schemas.read,
    handler: async (request, reply) => {
      const [product] = await find<Product>(pool, { ...statements.read, values: [Number(request.params.id)] })
      return product ?? sendMissing(reply, request.params.id)
    }
  })
  app.route<{ Querystring: { filter?: string } }>({
    method: 'GET',
    url: '/api/Products',
    schema: schemas.list,
    handler: async (request) => {
      // The workloads send nothing else; a real server would check it here.
      const filter = JSON.parse(request.query.filter ?? '{}') as ProductFilter
      const products = await find<Product>(pool, listQuery(tables, filter))
      return filter.include === 'reviews' ? withReviews(pool, statements.reviews, products) : products
    }
  })
  app.route<{ Querystring: { where?: string } }>({
    method: 'GET',
    url: '/api/Products/count',
    schema: schemas.count,
    handler: async (request) => {
      // As above.
      const where = JSON.parse(request.query.where ?? '{}') as ProductWhere
      const [counted] = await find<{ count: number }>(pool, countQuery(tables, where))
      return counted
    }
  })
}

async function withReviews(pool: Pool, reviews: Statement, products: readonly Product[]): Promise<object[]> {
  const ids = products.map(({ id }) => id)
  const byProduct = new Map<number, Review[]>(ids.map((id) => [id, []]))
  for (const review of await find<Review>(pool, { ...reviews, values: [ids] }))
    byProduct.get(review.productId)?.push(review)
  return products.map((product) => ({ ...product, reviews: byProduct.get(product.id) }))
}

function addWriteRoutes(app: FastifyInstance, { pool, tables }: Shop): void {
  const statements = fixedStatements(tables)
  app.route<{ Body: Omit<Product, 'id'> }>({
    method: 'POST',
    url: '/api/Products',
    schema: handwrittenSchemas.create,
    handler: async (request) => {
      const { name, description, price, inStock, category, stock, created } = request.body
      const values = [name, description, price, inStock, category, stock, created]
      const [product] = await find<Product>(pool, { ...statements.create, values })
      return product
    }
  })
  app.route<{ Params: { id: string }; Body: Partial<Product> }>({
    method: 'PATCH',
    url: '/api/Products/:id',
    schema: handwrittenSchemas.patch,
    handler: async (request, reply) => {
      const [product] = await find<Product>(pool, patchQuery(tables, Number(request.params.id), request.body))
      return product ?? sendMissing(reply, request.params.id)
    }
  })
}
