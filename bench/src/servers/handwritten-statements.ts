import type { BenchTables } from './bench-tables.ts'
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

/** The statements that are always the same. */
export interface FixedStatements {
  readonly read: Statement
  readonly reviews: Statement
  readonly create: Statement
}

/** The statements of some tables. */
export function fixedStatements({ names, productColumns, reviewColumns }: BenchTables): FixedStatements {
  const { products, inStock, reviews, productId } = names
  return {
    read: { name: 'read', text: `select ${productColumns} from ${products} where id = $1` },
    reviews: {
      name: 'reviews',
      text: `select ${reviewColumns} from ${reviews} where ${productId} = any($1) order by id`
    },
    create: {
      name: 'create',
      text: `insert into ${products} (name, description, price, ${inStock}, category, stock, created)
      values ($1, $2, $3, $4, $5, $6, $7) returning ${productColumns}`
    }
  }
}

const orders: Readonly<Record<string, string>> = {
  'price ASC': 'price, id',
  'price DESC': 'price desc, id',
  'id ASC': 'id',
  'id DESC': 'id desc'
}

/** Lists products: the text depends on what the filter names, its values are parameters. */
export function listQuery(tables: BenchTables, filter: ProductFilter): Query {
  const { where = {}, order = 'id ASC', limit, skip } = filter
  const values: unknown[] = []
  const by = orders[order]
  if (by === undefined) throw new RangeError(`products cannot be ordered by "${order}"`)
  const from = `${tables.names.products}${whereClause(tables, where, values)}`
  let text = `select ${tables.productColumns} from ${from} order by ${by}`
  if (limit !== undefined) text += ` limit $${values.push(limit)}`
  if (skip !== undefined) text += ` offset $${values.push(skip)}`
  return { name: nameOf(text), text, values }
}

/** Counts products. */
export function countQuery(tables: BenchTables, where: ProductWhere): Query {
  const values: unknown[] = []
  const text = `select count(*)::integer as count from ${tables.names.products}${whereClause(tables, where, values)}`
  return { name: nameOf(text), text, values }
}

/** Sets the given columns of one product. */
export function patchQuery(tables: BenchTables, id: number, patch: Readonly<Record<string, unknown>>): Query {
  const { names, productColumns } = tables
  const values: unknown[] = []
  const changes = Object.keys(patch).map((name) => `${columnOf(tables, name)} = $${values.push(patch[name])}`)
  const text = `update ${names.products} set ${changes.join(', ')} where id = $${values.push(id)} returning ${productColumns}`
  return { name: nameOf(text), text, values }
}

/** Other names are none of the schema of a body. */
const columnOf = ({ names }: BenchTables, name: string): string => (name === 'inStock' ? names.inStock : name)

function whereClause({ names }: BenchTables, { price, inStock, category }: ProductWhere, values: unknown[]): string {
  const tests: string[] = []
  if (typeof price === 'number') tests.push(`price = $${values.push(price)}`)
  else if (price !== undefined)
    tests.push(`price between $${values.push(price.between[0])} and $${values.push(price.between[1])}`)
  if (inStock !== undefined) tests.push(`${names.inStock} = $${values.push(inStock)}`)
  if (category !== undefined) tests.push(`category = $${values.push(category)}`)
  return tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
}

const statementNames = new Map<string, string>()

/** The name of a text: few filters are asked for, so that all stay prepared. */
function nameOf(text: string): string {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}
