import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { type Collection, type Filter, MongoClient, ObjectId, type Sort } from 'mongodb'
import { objectIdText, type Product, type Review } from '../bench-data.ts'
import type { BenchServer } from './bench-server.ts'
import { collectionNames, type ProductDocument, type ReviewDocument } from './fill-mongodb.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'
import { textIdSchemas } from './handwritten-schemas.ts'
import { sendError, sendMissing } from './handwritten-errors.ts'

/** The collections of the hand-written server. */
interface Shop {
  readonly products: Collection<ProductDocument>
  readonly reviews: Collection<ReviewDocument>
}

/** Records as clients see them, with times that fast-json-stringify writes. */
type Shown<Row> = Omit<Row, 'id' | 'productId' | 'created'> & { readonly id: string; readonly created: Date }
type ShownReview = Shown<Review> & { readonly productId: string }

/**
 * The leanest server over the driver that a good engineer would write for these answers: one command for each, reviews by a second
 * one, documents copied field by field, compiled schemas for bodies and answers. The records are in the database already.
 */
export async function buildHandwrittenMongodb(
  rows: number,
  databaseUrl: string
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const client = new MongoClient(databaseUrl)
  const shop: Shop = {
    products: client.db().collection(collectionNames.products),
    reviews: client.db().collection(collectionNames.reviews)
  }
  await shop.products.createIndex({ price: 1 })
  await shop.reviews.createIndex({ productId: 1 })
  app.setErrorHandler((error: FastifyError, _, reply) =>
    sendError(reply, error.validation ? 422 : (error.statusCode ?? 500), error.message)
  )
  addReadRoutes(app, shop)
  addWriteRoutes(app, shop)
  const last = new ObjectId(objectIdText(rows))
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => void (await shop.products.deleteMany({ _id: { $gt: last } })),
    close: async () => {
      await app.close()
      await client.close()
    }
  }
  return { app, server }
}

function addReadRoutes(app: FastifyInstance, { products, reviews }: Shop): void {
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/api/Products/:id',
    schema: textIdSchemas.read,
    handler: async (request, reply) => {
      const { id } = request.params
      const product = ObjectId.isValid(id) ? await products.findOne({ _id: new ObjectId(id) }) : null
      return product === null ? sendMissing(reply, id) : showProduct(product)
    }
  })
  app.route<{ Querystring: { filter?: string } }>({
    method: 'GET',
    url: '/api/Products',
    schema: textIdSchemas.list,
    handler: async (request) => {
      // The workloads send nothing else; a real server would check it here.
      const filter = JSON.parse(request.query.filter ?? '{}') as ProductFilter
      const found = await listProducts(products, filter)
      return filter.include === 'reviews' ? withReviews(reviews, found) : found.map(showProduct)
    }
  })
  app.route<{ Querystring: { where?: string } }>({
    method: 'GET',
    url: '/api/Products/count',
    schema: textIdSchemas.count,
    handler: async (request) => {
      // As above.
      const where = JSON.parse(request.query.where ?? '{}') as ProductWhere
      return { count: await products.countDocuments(toQuery(where)) }
    }
  })
}

const orders: Readonly<Record<string, Sort>> = {
  'price ASC': { price: 1, _id: 1 },
  'price DESC': { price: -1, _id: 1 },
  'id ASC': { _id: 1 },
  'id DESC': { _id: -1 }
}

function listProducts(
  products: Shop['products'],
  { where = {}, order = 'id ASC', limit = 0, skip = 0 }: ProductFilter
): Promise<ProductDocument[]> {
  const sort = orders[order]
  if (sort === undefined) throw new RangeError(`products cannot be ordered by "${order}"`)
  return products.find(toQuery(where), { sort, limit, skip }).toArray()
}

function toQuery({ price, inStock, category }: ProductWhere): Filter<ProductDocument> {
  const query: Filter<ProductDocument> = {}
  if (typeof price === 'number') query.price = price
  else if (price !== undefined) query.price = { $gte: price.between[0], $lte: price.between[1] }
  if (inStock !== undefined) query.inStock = inStock
  if (category !== undefined) query.category = category
  return query
}

async function withReviews(reviews: Shop['reviews'], products: readonly ProductDocument[]): Promise<object[]> {
  const shown = products.map((product) => ({ ...showProduct(product), reviews: [] as ShownReview[] }))
  const byProduct = new Map(shown.map((product) => [product.id, product.reviews]))
  const found = reviews.find({ productId: { $in: products.map(({ _id }) => _id) } }, { sort: { _id: 1 } })
  for (const document of await found.toArray()) {
    const review = showReview(document)
    byProduct.get(review.productId)?.push(review)
  }
  return shown
}

function showProduct(product: ProductDocument): Shown<Product> {
  const { _id, name, description, price, inStock, category, stock, tags, weight, created } = product
  return { name, description, price, inStock, category, stock, tags, weight, created, id: _id.toHexString() }
}

function showReview({ _id, productId, author, stars, text, created }: ReviewDocument): ShownReview {
  return { productId: productId.toHexString(), author, stars, text, created, id: _id.toHexString() }
}

function addWriteRoutes(app: FastifyInstance, { products }: Shop): void {
  app.route<{ Body: Omit<Product, 'id'> }>({
    method: 'POST',
    url: '/api/Products',
    schema: textIdSchemas.create,
    handler: async (request) => {
      const { name, description, price, inStock, category, stock, tags, weight, created } = request.body
      const rest = { name, description, price, inStock, category, stock, tags, weight, created: new Date(created) }
      const product: ProductDocument = { _id: new ObjectId(), ...rest }
      await products.insertOne(product)
      return showProduct(product)
    }
  })
  app.route<{ Params: { id: string }; Body: Partial<Product> }>({
    method: 'PATCH',
    url: '/api/Products/:id',
    schema: textIdSchemas.patch,
    handler: async (request, reply) => {
      const { id } = request.params
      const { created, ...others } = request.body
      const $set = created === undefined ? others : { ...others, created: new Date(created) }
      const product = ObjectId.isValid(id)
        ? await products.findOneAndUpdate({ _id: new ObjectId(id) }, { $set }, { returnDocument: 'after' })
        : null
      return product === null ? sendMissing(reply, id) : showProduct(product)
    }
  })
}
