import { type MongoClient, ObjectId } from 'mongodb'
import { makeProducts, makeReviews, objectIdText, type Product, type Review } from '../bench-data.ts'

/** A product as both servers store it. */
export interface ProductDocument extends Omit<Product, 'id' | 'created'> {
  readonly _id: ObjectId
  readonly created: Date
}

/** A review as both servers store it. */
export interface ReviewDocument extends Omit<Review, 'id' | 'created' | 'productId'> {
  readonly _id: ObjectId
  readonly productId: ObjectId
  readonly created: Date
}

/** The collections of both servers: those that Modelwire gives its models. */
export const collectionNames = { products: 'Product', reviews: 'Review' } as const

const idOf = (at: number): ObjectId => new ObjectId(objectIdText(at))

/** Fills an empty database. By neither server: the code that V8 compiles for writing would help the one that did it. */
export async function fillMongodb(client: MongoClient, rows: number): Promise<void> {
  const db = client.db()
  const products = makeProducts(rows).map(({ id, created, ...product }) => ({
    _id: idOf(id),
    ...product,
    created: new Date(created)
  }))
  const reviews = makeReviews(rows).map(({ id, productId, created, ...review }) => ({
    _id: idOf(id),
    productId: idOf(productId),
    ...review,
    created: new Date(created)
  }))
  await db.collection<ProductDocument>(collectionNames.products).insertMany(products)
  await db.collection<ReviewDocument>(collectionNames.reviews).insertMany(reviews)
}
