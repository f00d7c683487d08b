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

/** What a hand-written server asks a database: the text depends on what a filter names, its values are parameters. What never changes is written once. */
export class Statements {
  readonly #driver: SqlDriver
  readonly #products: BenchTable
  readonly #columns: string
  readonly #read: string
  readonly #readJson: string
  readonly #listJson: (rest: JsonRest) => string
  readonly #reviewedJson: (rest: JsonRest) => string
  readonly #reviews: string
  readonly #reviewKey: string
  readonly #inStock: string

  constructor(driver: SqlDriver, { products, reviews }: BenchTables) {
    const columnsOf = ({ columns }: BenchTable): string => columns.map((column) => driver.select(column)).join(', ')
    this.#driver = driver
    this.#products = products
    this.#columns = columnsOf(products)
    this.#reviewKey = columnIn(reviews, 'productId')
    this.#inStock = columnIn(products, 'inStock')
    const byId = `from ${products.name} where id = ${driver.parameter(1)}`
    this.#read = `select ${this.#columns} ${byId}`
    this.#readJson = `select ${driver.asText(driver.jsonOf(products)({ from: byId }))} as json`
    this.#reviews = `select ${columnsOf(reviews)} from ${reviews.name} where `
    const ofProduct = `from ${reviews.name} where ${this.#reviewKey} = ${products.name}.id`
    this.#listJson = driver.jsonOf(products)
    this.#reviewedJson = driver.jsonOf(products, {
      name: 'reviews',
      json: driver.jsonOf(reviews)({ from: ofProduct, order: 'id' })
    })
  }

  read(id: number): Statement {
    return { text: this.#read, values: [id] }
  }

  /** The record as JSON. */
  readJson(id: number): Statement {
    return { text: this.#readJson, values: [id] }
  }

  list(filter: ProductFilter): Statement {
    return this.#collect((add) => {
      const { from, order, page } = this.#listOf(filter, add)
      return `select ${this.#columns} ${from} order by ${order}${page}`
    })
  }

  /** The whole list as JSON, with the reviews of each where they are asked for. */
  listJson(filter: ProductFilter): Statement {
    const write = filter.include === undefined ? this.#listJson : this.#reviewedJson
    return this.#collect((add) => `select ${this.#driver.asText(write(this.#listOf(filter, add)))} as json`)
  }

  reviews(ids: readonly number[]): Statement {
    const { text, values } = this.#driver.isOneOf(this.#reviewKey, ids)
    return { text: `${this.#reviews}${text} order by id`, values }
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
    const returning = this.#driver.returnsChanged ? ` returning ${this.#columns}` : ''
    return this.#collect((add) => {
      const changes = Object.keys(patch).map((name) => `${columnIn(this.#products, name)} = ${add(patch[name])}`)
      return `update ${this.#products.name} set ${changes.join(', ')} where id = ${add(id)}${returning}`
    })
  }

  #collect(write: (add: AddValue) => string): Statement {
    const values: unknown[] = []
    const text = write((value) => this.#driver.parameter(values.push(value)))
    return { text, values }
  }

  #listOf({ where = {}, order: name = 'id ASC', limit, skip }: ProductFilter, add: AddValue): Required<JsonRest> {
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
    if (inStock !== undefined) tests.push(`${this.#inStock} = ${add(inStock)}`)
    if (category !== undefined) tests.push(`category = ${add(category)}`)
    return tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
  }
}

function columnIn({ columns, name: table }: BenchTable, name: string): string {
  const found = columns.find((each) => each.name === name)
  if (found === undefined) throw new RangeError(`${table} has no column for "${name}"`)
  return found.column
}
