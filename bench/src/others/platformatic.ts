import type { BenchServer } from '../servers/bench-server.ts'
import { benchTables } from '../servers/bench-tables.ts'
import { fillTables } from '../servers/fill-tables.ts'
import type { ProductFilter } from '../servers/handwritten-products.ts'
import type { BenchRequest } from '../workloads.ts'
import { type Asked, type Other, type OtherSettings, priceRange } from './other.ts'
import { importFrom } from './import-from.ts'

/** Platformatic DB: REST and GraphQL of the tables that it finds. */
export const platformatic: Other = {
  title: 'Platformatic DB 3',
  packages: { '@platformatic/db': '3.67.0' },
  node: '24.22.3',
  database: 'postgresql',
  told:
    'It runs on Node 24.22, since it needs 22.19, without its runtime and its threads. W4, W6 and W7 are asked by ' +
    'GraphQL, since its REST includes no related records, changes no single property and counts only beside a list; ' +
    'the others by REST. A list of strings is a column of type text[], since it reads JSON as objects only.',
  translate,
  readAnswer: (body, { kind }) => {
    const { data = {} } = body as { data?: Readonly<Record<string, unknown>> } // of GraphQL
    if (kind === 'count') return { count: (data['countProducts'] as { total: number }).total }
    if (kind === 'patch') return data['saveProduct']
    return kind === 'list' && data['products'] !== undefined ? data['products'] : body
  },
  build
}

const fields = 'id name description price inStock category stock tags weight created'
const queries = {
  reviewed: `query($limit: LimitInt, $offset: Int) { products(limit: $limit, offset: $offset, orderBy: [{ field: id, direction: ASC }]) { ${fields} reviews { id author stars text created } } }`,
  count:
    'query($low: Float, $high: Float, $inStock: Boolean) { countProducts(where: { price: { gte: $low, lte: $high }, inStock: { eq: $inStock } }) { total } }',
  patch: `mutation($input: ProductInput!) { saveProduct(input: $input) { ${fields} } }`
}

const graphql = (query: keyof typeof queries, variables: object): BenchRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query: queries[query], variables }
})

function translate(asked: Asked): BenchRequest | undefined {
  if (asked.kind === 'read') return { method: 'GET', path: `/products/${asked.id}` }
  if (asked.kind === 'create') return { method: 'POST', path: '/products', body: asked.data }
  if (asked.kind === 'patch') return graphql('patch', { input: { id: asked.id, ...asked.data } })
  if (asked.kind === 'list') return list(asked.filter)
  const [low, high] = priceRange(asked.where) ?? []
  return graphql('count', { low, high, inStock: asked.where.inStock })
}

function list({ where = {}, order = 'id ASC', limit, skip = 0, include }: ProductFilter): BenchRequest {
  if (include !== undefined) return graphql('reviewed', { limit, offset: skip })
  const [property = '', direction = ''] = order.split(' ')
  const range = priceRange(where)
  const query = [
    `limit=${limit}&offset=${skip}&orderby.${property}=${direction.toLowerCase()}`,
    ...(property === 'id' ? [] : ['orderby.id=asc']),
    ...(range === undefined ? [] : [`where.price.gte=${range[0]}&where.price.lte=${range[1]}`]),
    ...(where.inStock === undefined ? [] : [`where.inStock.eq=${where.inStock}`])
  ]
  return { method: 'GET', path: `/products?${query.join('&')}` }
}

// What is used of Platformatic, whose types are not installed with the benchmark.
interface Db {
  create: (folder: string, config: object) => Promise<Application>
}
interface Application {
  init: () => Promise<unknown>
  start: (options: object) => Promise<string>
  stop: () => Promise<unknown>
}

/** What makes the tables of the hand-written server fit: lists that it reads, and relations that it finds. */
const adaptations = [
  `alter table products alter tags type text[] using translate(tags::text, '[]', '{}')::text[]`,
  'alter table reviews add foreign key (product_id) references products'
]

async function build({ rows, folder, databaseUrl }: OtherSettings): Promise<BenchServer> {
  const { openDriver } = await import('../servers/sql-drivers.ts') // which the other processes do not need
  const driver = openDriver('postgresql', databaseUrl)
  const tables = benchTables.postgresql.own
  for (const statement of tables.create) await driver.run(statement)
  await fillTables(driver, rows, tables)
  for (const statement of adaptations) await driver.run(statement)
  const { create } = await importFrom<Db>(folder, '@platformatic/db')
  const app = await create(folder, {
    server: { logger: { level: 'fatal' } },
    db: { connectionString: databaseUrl, openapi: true, graphql: true },
    watch: false
  })
  await app.init()
  return {
    listen: async () => (await app.start({ listen: true })).replace('0.0.0.0', '127.0.0.1'),
    restore: async () => {
      await driver.run(`delete from products where id > ${rows}`)
      await driver.tidy('products')
    },
    close: async () => {
      await app.stop()
      await driver.close()
    }
  }
}
