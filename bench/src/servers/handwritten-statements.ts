import type { TableNames } from './fill-postgresql.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'

/** A statement that `pg` prepares under its name, once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A statement with the values of its parameters. */
export interface Query extends Statement {
  readonly values: readonly unknown[]
}

/** The tables, with the types that somebody would choose by hand for these records. */
export const createTables = `
  create table products (
    id serial primary key, name text not null, description text not null, price double precision not null,
    in_stock boolean not null, category text not null, stock integer not null, created timestamptz not null
  );
  create index on products (price);
  create table reviews (
    id serial primary key, product_id integer not null, author text not null, stars integer not null,
    text text not null, created timestamptz not null
  );
  create index on reviews (product_id)`

/** What these tables are filled by. */
export const tableNames: TableNames = {
  products: 'products',
  inStock: 'in_stock',
  reviews: 'reviews',
  productId: 'product_id'
}

const productColumns = 'name, description, price, in_stock as "inStock", category, stock, created, id'

/** The statements that are always the same. */
export const statements = {
  read: { name: 'read', text: `select ${productColumns} from products where id = $1` },
  reviews: {
    name: 'reviews',
    text: 'select product_id as "productId", author, stars, text, created, id from reviews where product_id = any($1) order by id'
  },
  create: {
    name: 'create',
    text: `insert into products (name, description, price, in_stock, category, stock, created)
      values ($1, $2, $3, $4, $5, $6, $7) returning ${productColumns}`
  }
} as const satisfies Readonly<Record<string, Statement>>

const columns: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'name',
  description: 'description',
  price: 'price',
  inStock: 'in_stock',
  category: 'category',
  stock: 'stock',
  created: 'created'
}

const orders: Readonly<Record<string, string>> = {
  'price ASC': 'price, id',
  'price DESC': 'price desc, id',
  'id ASC': 'id',
  'id DESC': 'id desc'
}

/** Lists products: the text depends on what the filter names, its values are parameters. */
export function listQuery({ where = {}, order = 'id ASC', limit, skip }: ProductFilter): Query {
  const values: unknown[] = []
  const by = orders[order]
  if (by === undefined) throw new RangeError(`products cannot be ordered by "${order}"`)
  let text = `select ${productColumns} from products${whereClause(where, values)} order by ${by}`
  if (limit !== undefined) text += ` limit $${values.push(limit)}`
  if (skip !== undefined) text += ` offset $${values.push(skip)}`
  return { name: nameOf(text), text, values }
}

/** Counts products. */
export function countQuery(where: ProductWhere): Query {
  const values: unknown[] = []
  const text = `select count(*)::integer as count from products${whereClause(where, values)}`
  return { name: nameOf(text), text, values }
}

/** Sets the given columns of one product. */
export function patchQuery(id: number, patch: Readonly<Record<string, unknown>>): Query {
  const values: unknown[] = []
  const changes = Object.keys(patch).map((name) => `${columns[name]} = $${values.push(patch[name])}`)
  const text = `update products set ${changes.join(', ')} where id = $${values.push(id)} returning ${productColumns}`
  return { name: nameOf(text), text, values }
}

function whereClause({ price, inStock, category }: ProductWhere, values: unknown[]): string {
  const tests: string[] = []
  if (typeof price === 'number') tests.push(`price = $${values.push(price)}`)
  else if (price !== undefined)
    tests.push(`price between $${values.push(price.between[0])} and $${values.push(price.between[1])}`)
  if (inStock !== undefined) tests.push(`in_stock = $${values.push(inStock)}`)
  if (category !== undefined) tests.push(`category = $${values.push(category)}`)
  return tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
}

const names = new Map<string, string>()

/** The name of a text: few filters are asked for, so that all stay prepared. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
