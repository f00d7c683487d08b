import type { Product } from '../bench-data.ts'

/** What clients may ask of products: as much as the workloads need, which is what a hand-written server would have. */
export interface ProductWhere {
  readonly price?: number | { readonly between: readonly [number, number] }
  readonly inStock?: boolean
  readonly category?: string
}

/** A filter in LoopBack's form. */
export interface ProductFilter {
  readonly where?: ProductWhere
  readonly order?: string
  readonly limit?: number
  readonly skip?: number
  readonly include?: 'reviews'
}

/** A product as it is stored. Written out, so that all products have one form: V8 scans spread copies eight times slower. */
export function toProduct(data: Omit<Product, 'id'>, id: number): Product {
  const { name, description, price, inStock, category, stock, tags, weight, created } = data
  return { name, description, price, inStock, category, stock, tags, weight, created, id }
}

/** The products that match, ordered and cut. */
export function listProducts(
  products: Iterable<Product>,
  { where, order, skip = 0, limit = Infinity }: ProductFilter
): Product[] {
  if (order === undefined && where === undefined) return takePage(products, skip, limit)
  const found: Product[] = []
  for (const product of products) if (where === undefined || matchesProduct(product, where)) found.push(product)
  if (order !== undefined) found.sort(compareBy(order))
  return found.slice(skip, skip + limit)
}

/** How many products match. */
export function countProducts(products: Iterable<Product>, where: ProductWhere): number {
  let count = 0
  for (const product of products) if (matchesProduct(product, where)) count++
  return count
}

function matchesProduct(product: Product, { price, inStock, category }: ProductWhere): boolean {
  if (inStock !== undefined && product.inStock !== inStock) return false
  if (category !== undefined && product.category !== category) return false
  if (price === undefined) return true
  if (typeof price === 'number') return product.price === price
  return product.price >= price.between[0] && product.price <= price.between[1]
}

/** Without conditions and order the first rows are enough. */
function takePage(products: Iterable<Product>, skip: number, limit: number): Product[] {
  const page: Product[] = []
  let at = 0
  for (const product of products) {
    if (at++ < skip) continue
    if (page.length === limit) break
    page.push(product)
  }
  return page
}

const comparators: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  'price ASC': (a, b) => a.price - b.price,
  'price DESC': (a, b) => b.price - a.price,
  'id ASC': (a, b) => a.id - b.id,
  'id DESC': (a, b) => b.id - a.id
}

function compareBy(order: string): (a: Product, b: Product) => number {
  const compare = comparators[order]
  if (compare === undefined) throw new RangeError(`products cannot be ordered by "${order}"`)
  return compare
}
