import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Product } from '../bench-data.ts'
import type { SqlDatabase } from '../databases.ts'
import type { BenchServer } from './bench-server.ts'
import { type BenchTables, benchTables, type TablesKind } from './bench-tables.ts'
import { fillTables } from './fill-tables.ts'
import { sendError, sendMissing } from './handwritten-errors.ts'
import type { ProductFilter, ProductWhere } from './handwritten-products.ts'
import { detailedSchemas, handwrittenSchemas } from './handwritten-schemas.ts'
import { Statements } from './handwritten-statements.ts'
import { openDriver, type Row, type SqlDriver, type Statement } from './sql-drivers.ts'

/** What is special about one hand-written server. */
export interface HandwrittenSql {
  readonly database: SqlDatabase
  readonly databaseUrl: string
  readonly tables: TablesKind
  /** The database writes what is read; else it gives rows. */
  readonly asJson: boolean
}

/** Where the records are. */
export interface Shop {
  readonly driver: SqlDriver
  readonly tables: BenchTables
  readonly statements: Statements
  readonly schemas: typeof handwrittenSchemas | typeof detailedSchemas
}

/**
 * The leanest server over a driver that a good engineer would write for these answers: prepared statements, rows as the driver gives
 * them and reviews by a second statement, or the whole answer by one, compiled schemas for bodies and answers.
 */
export async function buildHandwrittenSql(
  rows: number,
  { database, databaseUrl, tables: kind, asJson }: HandwrittenSql
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const driver = openDriver(database, databaseUrl)
  const tables = benchTables[database][kind]
  for (const statement of tables.create) await driver.run(statement)
  await fillTables(driver, rows, tables)
  const schemas = kind === 'loopback' ? detailedSchemas : handwrittenSchemas
  addHandwrittenRoutes(app, { driver, tables, statements: new Statements(driver, tables), schemas }, asJson)
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => {
      await driver.run(`delete from ${tables.products.name} where id > ${rows}`)
      await driver.tidy(tables.products.name)
    },
    close: async () => {
      await app.close()
      await driver.close()
    }
  }
  return { app, server }
}

/** Adds the routes to a server whose tables are there. */
export function addHandwrittenRoutes(app: FastifyInstance, shop: Shop, asJson: boolean): void {
  app.setErrorHandler((error: FastifyError, _, reply) =>
    sendError(reply, error.validation ? 422 : (error.statusCode ?? 500), error.message)
  )
  if (asJson) addJsonRoutes(app, shop)
  else addRowRoutes(app, shop)
  addCount(app, shop)
  addWriteRoutes(app, shop)
}

/** Reads texts of JSON, where the driver does not. */
function createFind({ driver, tables }: Shop): (statement: Statement) => Promise<Row[]> {
  const texts = tables.products.columns.filter(driver.isText).map(({ name }) => name)
  if (texts.length === 0) return driver.query
  return async (statement) => {
    const rows = await driver.query(statement)
    for (const row of rows) readTexts(row, texts)
    return rows
  }
}

function readTexts(row: Row, names: readonly string[]): void {
  for (const name of names) {
    const text = row[name]
    if (typeof text === 'string') row[name] = JSON.parse(text)
  }
}

// The workloads send nothing else than such filters; a real server would check them here.
const readFilter = (text = '{}'): ProductFilter => JSON.parse(text) as ProductFilter
const readWhere = (text = '{}'): ProductWhere => JSON.parse(text) as ProductWhere

function addRowRoutes(app: FastifyInstance, shop: Shop): void {
  const { statements, schemas } = shop
  const find = createFind(shop)
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/api/Products/:id',
    schema: schemas.read,
    handler: async (request, reply) => {
      const [product] = await find(statements.read(Number(request.params.id)))
      return product ?? sendMissing(reply, request.params.id)
    }
  })
  app.route<{ Querystring: { filter?: string } }>({
    method: 'GET',
    url: '/api/Products',
    schema: schemas.list,
    handler: async (request) => {
      const filter = readFilter(request.query.filter)
      const products = await find(statements.list(filter))
      return filter.include === 'reviews' ? withReviews(shop, products) : products
    }
  })
}

async function withReviews({ driver, statements }: Shop, products: readonly Row[]): Promise<object[]> {
  const ids = products.map(({ id }) => Number(id))
  const byProduct = new Map<unknown, Row[]>(ids.map((id) => [id, []]))
  for (const review of await driver.query(statements.reviews(ids))) byProduct.get(review['productId'])?.push(review)
  return products.map((product) => ({ ...product, reviews: byProduct.get(product['id']) }))
}

function addJsonRoutes(app: FastifyInstance, { driver, statements }: Shop): void {
  const send = async (reply: FastifyReply, statement: Statement): Promise<FastifyReply | undefined> => {
    const [row] = await driver.query(statement)
    const json = row?.['json']
    if (json === null || json === undefined) return undefined
    return reply.type('application/json; charset=utf-8').send(json)
  }
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/api/Products/:id',
    handler: async (request, reply) =>
      (await send(reply, statements.readJson(Number(request.params.id)))) ?? sendMissing(reply, request.params.id)
  })
  app.route<{ Querystring: { filter?: string } }>({
    method: 'GET',
    url: '/api/Products',
    handler: async (request, reply) => send(reply, statements.listJson(readFilter(request.query.filter)))
  })
}

function addCount(app: FastifyInstance, { driver, statements, schemas }: Shop): void {
  app.route<{ Querystring: { where?: string } }>({
    method: 'GET',
    url: '/api/Products/count',
    schema: schemas.count,
    handler: async (request) => (await driver.query(statements.count(readWhere(request.query.where))))[0]
  })
}

/** As columns take what a body has. */
function toColumns(body: Readonly<Partial<Product>>): Record<string, unknown> {
  const { created, tags } = body
  return {
    ...body,
    ...(created === undefined ? {} : { created: new Date(created) }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) })
  }
}

function addWriteRoutes(app: FastifyInstance, shop: Shop): void {
  const { driver, statements, schemas } = shop
  const find = createFind(shop)
  app.route<{ Body: Omit<Product, 'id'> }>({
    method: 'POST',
    url: '/api/Products',
    schema: schemas.create,
    handler: async (request) => ({
      ...request.body,
      id: await driver.insert(statements.create(toColumns(request.body)))
    })
  })
  app.route<{ Params: { id: string }; Body: Partial<Product> }>({
    method: 'PATCH',
    url: '/api/Products/:id',
    schema: schemas.patch,
    handler: async (request, reply) => {
      const id = Number(request.params.id)
      const [changed] = await find(statements.patch(id, toColumns(request.body)))
      const product = driver.returnsChanged ? changed : (await find(statements.read(id)))[0]
      return product ?? sendMissing(reply, request.params.id)
    }
  })
}
