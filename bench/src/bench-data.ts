import { createRandom, type Random } from './random.ts'

/** A product as clients see it; `created` is an ISO time. */
export interface Product {
  name: string
  description: string
  price: number
  inStock: boolean
  category: string
  stock: number
  tags: string[]
  /** A number with two decimals, as a text. */
  weight: string
  created: string
  id: number
}

/** A review as clients see it; `created` is an ISO time. */
export interface Review {
  productId: number
  author: string
  stars: number
  text: string
  created: string
  id: number
}

/** What products of LoopBack's tables have besides; `changed` is an ISO time. */
export interface Details {
  size: { width: number; height: number; unit: string; parts: { code: string; count: number }[] }
  changed: string
}

const categories = ['garden', 'kitchen', 'office', 'outdoor', 'sound', 'toys']
const words = 'solid light quiet round quick plain bright heavy small warm'.split(' ')
const reviewsPerProduct = 3
const firstTime = Date.UTC(2020, 0, 1)
const fiveYears = 5 * 365 * 86_400_000

/** Highest price of a product; prices are spread evenly from 1. */
export const highestPrice = 1000

/** Products 1 to `rows`, the same ones each time. */
export function makeProducts(rows: number): Product[] {
  return [...eachProduct(rows)]
}

/** The same products one by one: a list of a million of them takes 900 MB, which would count as memory of the server. */
export function* eachProduct(rows: number): Iterable<Product> {
  const random = createRandom(1)
  for (let at = 0; at < rows; at++) yield { ...makeProduct(random, at), id: at + 1 }
}

/** The same products with an object and one more date each. */
export function makeDetails(products: readonly Product[]): (Product & Details)[] {
  const random = createRandom(4)
  return products.map((product) => ({
    ...product,
    size: {
      width: random.integer(900) / 10,
      height: random.integer(90),
      unit: 'cm',
      parts: [{ code: `P-${random.integer(1000)}`, count: 1 + random.integer(9) }]
    },
    changed: makeTime(random)
  }))
}

/** The text of the ObjectId that the first, second, … record has in MongoDB: those that the driver makes are greater. */
export function objectIdText(at: number): string {
  return at.toString(16).padStart(24, '0')
}

/** The data of a product that does not exist yet. */
export function makeProduct(random: Random, at: number): Omit<Product, 'id'> {
  const stock = random.integer(200)
  return {
    name: `Product ${at + 1}`,
    description: `A ${random.pick(words)} and ${random.pick(words)} thing for every day, made to last`,
    price: 1 + random.integer((highestPrice - 1) * 100) / 100,
    inStock: stock >= 60,
    category: random.pick(categories),
    stock,
    tags: [random.pick(words), random.pick(categories), `${random.pick(words)}, ${random.pick(words)}`],
    weight: (1 + random.integer(9900) / 100).toFixed(2),
    created: makeTime(random)
  }
}

/** Reviews of products 1 to `rows`, three times as many, the same ones each time. */
export function makeReviews(rows: number): Review[] {
  const random = createRandom(2)
  return Array.from({ length: rows * reviewsPerProduct }, (_, at) => ({
    productId: 1 + random.integer(rows),
    author: `Customer ${random.integer(5000)}`,
    stars: 1 + random.integer(5),
    text: `It is ${random.pick(words)}, ${random.pick(words)} and does what it should`,
    created: makeTime(random),
    id: at + 1
  }))
}

/** A whole second: MySQL's tables of LoopBack keep no more. */
function makeTime(random: Random): string {
  return new Date(firstTime + 1000 * random.integer(fiveYears / 1000)).toISOString()
}
