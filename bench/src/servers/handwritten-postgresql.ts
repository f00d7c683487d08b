import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import type { Product, Review } from '../bench-data.ts'
import type { BenchServer } from './bench-server.ts'
import { fillPostgresql } from './fill-postgresql.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'
import { handwrittenSchemas } from './handwritten-schemas.ts'
import {
  countQuery,
  createTables,
  listQuery,
  patchQuery,
  statements,
  tableNames,
  type Query
} from './handwritten-statements.ts'
import { sendError, sendMissing } from './handwritten-errors.ts'

/**
 * The leanest server over `pg` that a good engineer would write for these answers: prepared statements, rows as the driver
 * gives them, reviews by a second statement, compiled schemas for bodies and answers.
 */
export async function buildHandwrittenPostgresql(
  rows: number,
  databaseUrl: string
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const pool = new Pool({ connectionString: databaseUrl })
  // The database is dropped after the server, at times while connections still close.
  pool.on('error', () => {})
  await pool.query(createTables)
  await fillPostgresql(pool, rows, tableNames)
  app.setErrorHandler((error: FastifyError, _, reply) =>
    sendError(reply, error.validation ? 422 : (error.statusCode ?? 500), error.message)
  )
  addReadRoutes(app, pool)
  addWriteRoutes(app, pool)
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => void (await pool.query('delete from products where id > $1', [rows])),
    close: async () => {
      await app.close()
      await pool.end()
    }
  }
  return { app, server }
}

async function find<Row>(pool: Pool, { name, text, values }: Query): Promise<Row[]> {
  // The statements name the columns of these rows.
  const { rows } = await pool.query({ name, text, values: values as unknown[] })
  return rows as Row[]
}

function addReadRoutes(app: FastifyInstance, pool: Pool): void {
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/api/Products/:id',
    schema: handwrittenSchemas.read,
    handler: async (request, reply) => {
      const [product] = await find<Product>(pool, { ...statements.read, values: [Number(request.params.id)] })
      return product ?? sendMissing(reply, request.params.id)
    }
  })
  app.route<{ Querystring: { filter?: string } }>({
    method: 'GET',
    url: '/api/Products',
    schema: handwrittenSchemas.list,
    handler: async (request) => {
      // The workloads send nothing else; a real server would check it here.
      const filter = JSON.parse(request.query.filter ?? '{}') as ProductFilter
      const products = await find<Product>(pool, listQuery(filter))
      return filter.include === 'reviews' ? withReviews(pool, products) : products
    }
  })
  app.route<{ Querystring: { where?: string } }>({
    method: 'GET',
    url: '/api/Products/count',
    schema: handwrittenSchemas.count,
    handler: async (request) => {
      // As above.
      const where = JSON.parse(request.query.where ?? '{}') as ProductWhere
      const [counted] = await find<{ count: number }>(pool, countQuery(where))
      return counted
    }
  })
}

async function withReviews(pool: Pool, products: readonly Product[]): Promise<object[]> {
  const ids = products.map(({ id }) => id)
  const byProduct = new Map<number, Review[]>(ids.map((id) => [id, []]))
  for (const review of await find<Review>(pool, { ...statements.reviews, values: [ids] }))
    byProduct.get(review.productId)?.push(review)
  return products.map((product) => ({ ...product, reviews: byProduct.get(product.id) }))
}

function addWriteRoutes(app: FastifyInstance, pool: Pool): void {
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
      const [product] = await find<Product>(pool, patchQuery(Number(request.params.id), request.body))
      return product ?? sendMissing(reply, request.params.id)
    }
  })
}
