import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { makeProducts, makeReviews, type Product, type Review } from '../bench-data.ts'
import type { BenchServer } from './bench-server.ts'
import { sendError, sendMissing } from './handwritten-errors.ts'
import {
  countProducts,
  listProducts,
  toProduct,
  type ProductFilter,
  type ProductWhere
} from './handwritten-products.ts'
import { handwrittenSchemas } from './handwritten-schemas.ts'

/** What the hand-written server holds. */
interface Shop {
  readonly products: Map<number, Product>
  /** By product, in the order of their ids. */
  readonly reviews: ReadonlyMap<number, readonly Review[]>
  nextId: number
}

/**
 * The leanest server that a good engineer would write for the same answers: plain objects in a Map, compiled schemas for
 * bodies and answers, and no more of LoopBack's protocol than the workloads use.
 */
export function buildHandwritten(rows: number): { app: FastifyInstance; server: BenchServer } {
  const app = Fastify({ exposeHeadRoutes: false })
  const products = new Map(makeProducts(rows).map((product) => [product.id, toProduct(product, product.id)]))
  const shop: Shop = { products, reviews: indexReviews(rows), nextId: rows + 1 }
  app.setErrorHandler((error: FastifyError, _, reply) =>
    sendError(reply, error.validation ? 422 : (error.statusCode ?? 500), error.message)
  )
  addReadRoutes(app, shop)
  addWriteRoutes(app, shop)
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => removeAbove(products, rows),
    close: () => app.close()
  }
  return { app, server }
}

function indexReviews(rows: number): Map<number, Review[]> {
  const index = new Map<number, Review[]>()
  for (const review of makeReviews(rows)) {
    const ofProduct = index.get(review.productId)
    if (ofProduct === undefined) index.set(review.productId, [review])
    else ofProduct.push(review)
  }
  return index
}

function addReadRoutes(app: FastifyInstance, { products, reviews }: Shop): void {
  app.get<{ Params: { id: string } }>('/api/Products/:id', { schema: handwrittenSchemas.read }, (request, reply) => {
    const product = products.get(Number(request.params.id))
    if (product === undefined) sendMissing(reply, request.params.id)
    else reply.send(product)
  })
  app.get<{ Querystring: { filter?: string } }>(
    '/api/Products',
    { schema: handwrittenSchemas.list },
    (request, reply) => {
      // The workloads send nothing else; a real server would check it here.
      const filter = JSON.parse(request.query.filter ?? '{}') as ProductFilter
      const found = listProducts(products.values(), filter)
      if (filter.include === 'reviews') reply.send(found.map((product) => withReviews(product, reviews)))
      else reply.send(found)
    }
  )
  app.get<{ Querystring: { where?: string } }>(
    '/api/Products/count',
    { schema: handwrittenSchemas.count },
    (request, reply) => {
      // As above.
      const where = JSON.parse(request.query.where ?? '{}') as ProductWhere
      reply.send({ count: countProducts(products.values(), where) })
    }
  )
}

function withReviews(product: Product, reviews: Shop['reviews']): object {
  return { ...product, reviews: reviews.get(product.id) ?? [] }
}

function addWriteRoutes(app: FastifyInstance, shop: Shop): void {
  app.post<{ Body: Omit<Product, 'id'> }>('/api/Products', { schema: handwrittenSchemas.create }, (request, reply) => {
    const product = toProduct(request.body, shop.nextId++)
    shop.products.set(product.id, product)
    reply.send(product)
  })
  app.patch<{ Params: { id: string }; Body: Partial<Product> }>(
    '/api/Products/:id',
    { schema: handwrittenSchemas.patch },
    (request, reply) => {
      const product = shop.products.get(Number(request.params.id))
      if (product === undefined) sendMissing(reply, request.params.id)
      else reply.send(Object.assign(product, request.body))
    }
  )
}

function removeAbove(products: Map<number, Product>, highest: number): void {
  for (const id of products.keys()) if (id > highest) products.delete(id)
}
