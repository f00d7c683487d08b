import type { BenchTable, BenchTables } from './bench-tables.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'
import type { JsonRest, SqlDriver, Statement } from './sql-drivers.ts'

const orders: Readonly<Record<string, string>> = {
  'price ASC': 'price, id',
  'price DESC': 'price desc, id',
  'id ASC': 'id',
  'id DESC': 'id desc'
}

/** Adds a value, and gives its parameter: in the order in which parameters stand in the statement. */
type AddValue = (value: unknown) => string

type Values = Readonly<Record<string, unknown>>

/** What a hand-written server asks a database: the text depends on what a filter names, its values are parameters. */
export class Statements {
  readonly #driver: SqlDriver
  readonly #tables: BenchTables

  constructor(driver: SqlDriver, tables: BenchTables) {
    this.#driver = driver
    this.#tables = tables
  }

  get #products(): BenchTable {
    return this.#tables.products
  }

  read(id: number): Statement {
    return this.#collect((add) => `select ${this.#columns()} from ${this.#products.name} where id = ${add(id)}`)
  }

  /** The record as JSON. */
  readJson(id: number): Statement {
    return this.#collect((add) => this.#asJson({ from: `from ${this.#products.name} where id = ${add(id)}` }))
  }

  list(filter: ProductFilter): Statement {
    return this.#collect((add) => {
      const { from, order, page } = this.#listOf(filter, add)
      return `select ${this.#columns()} ${from} order by ${order}${page}`
    })
  }

  /** The whole list as JSON, with the reviews of each where they are asked for. */
  listJson(filter: ProductFilter): Statement {
    const more = filter.include === undefined ? {} : { more: { name: 'reviews', json: this.#reviewsJson() } }
    return this.#collect((add) => this.#asJson({ ...this.#listOf(filter, add), ...more }))
  }

  reviews(ids: readonly number[]): Statement {
    const { reviews } = this.#tables
    const { text, values } = this.#driver.isOneOf(columnIn(reviews, 'productId'), ids)
    return { text: `select ${this.#columns(reviews)} from ${reviews.name} where ${text} order by id`, values }
  }

  count(where: ProductWhere): Statement {
    return this.#collect((add) => `select count(*) as count from ${this.#products.name}${this.#where(where, add)}`)
  }

  create(data: Values): Statement {
    const names = Object.keys(data)
    const columns = names.map((name) => columnIn(this.#products, name)).join(', ')
    return this.#collect((add) => {
      const values = names.map((name) => add(data[name])).join(', ')
      return `insert into ${this.#products.name} (${columns}) values (${values})`
    })
  }

  /** Gives the record where the database can. Other names are none of the schema of a body. */
  patch(id: number, patch: Values): Statement {
    const returning = this.#driver.returnsChanged ? ` returning ${this.#columns()}` : ''
    return this.#collect((add) => {
      const changes = Object.keys(patch).map((name) => `${columnIn(this.#products, name)} = ${add(patch[name])}`)
      return `update ${this.#products.name} set ${changes.join(', ')} where id = ${add(id)}${returning}`
    })
  }

  #columns(table = this.#products): string {
    return table.columns.map((column) => this.#driver.select(column)).join(', ')
  }

  #asJson(rest: JsonRest): string {
    return `select ${this.#driver.asText(this.#driver.jsonOf(this.#products, rest))} as json`
  }

  #reviewsJson(): string {
    const { products, reviews } = this.#tables
    const from = `from ${reviews.name} where ${columnIn(reviews, 'productId')} = ${products.name}.id`
    return this.#driver.jsonOf(reviews, { from, order: 'id' })
  }

  #collect(write: (add: AddValue) => string): Statement {
    const values: unknown[] = []
    const text = write((value) => this.#driver.parameter(values.push(value)))
    return { text, values }
  }

  #listOf(
    { where = {}, order: name = 'id ASC', limit, skip }: ProductFilter,
    add: AddValue
  ): Required<Omit<JsonRest, 'more'>> {
    const order = orders[name]
    if (order === undefined) throw new RangeError(`products cannot be ordered by "${name}"`)
    const from = `from ${this.#products.name}${this.#where(where, add)}`
    const limited = limit === undefined ? '' : ` limit ${add(limit)}`
    return { from, order, page: skip === undefined ? limited : `${limited} offset ${add(skip)}` }
  }

  #where({ price, inStock, category }: ProductWhere, add: AddValue): string {
    const tests: string[] = []
    if (typeof price === 'number') tests.push(`price = ${add(price)}`)
    else if (price !== undefined) tests.push(`price between ${add(price.between[0])} and ${add(price.between[1])}`)
    if (inStock !== undefined) tests.push(`${columnIn(this.#products, 'inStock')} = ${add(inStock)}`)
    if (category !== undefined) tests.push(`category = ${add(category)}`)
    return tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
  }
}

function columnIn({ columns, name: table }: BenchTable, name: string): string {
  const found = columns.find((each) => each.name === name)
  if (found === undefined) throw new RangeError(`${table} has no column for "${name}"`)
  return found.column
}
