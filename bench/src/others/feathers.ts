import { once } from 'node:events'
import type { Server } from 'node:http'
import { makeProducts } from '../bench-data.ts'
import type { BenchServer } from '../servers/bench-server.ts'
import type { ProductFilter, ProductWhere } from '../servers/handwritten-products.ts'
import type { BenchRequest } from '../workloads.ts'
import { type Asked, type Other, type OtherSettings, priceRange } from './other.ts'
import { addressOf, importFrom } from './import-from.ts'

/** Feathers 5 as its generator writes it: Koa, REST, the memory service with pages, schemas for queries and bodies. */
export const feathers: Other = {
  title: 'Feathers 5',
  packages: {
    '@feathersjs/feathers': '5.0.50',
    '@feathersjs/koa': '5.0.50',
    '@feathersjs/memory': '5.0.50',
    '@feathersjs/schema': '5.0.50',
    '@feathersjs/typebox': '5.0.50'
  },
  told:
    'It runs on Koa with its memory service and TypeBox schemas for queries and bodies, as its generator writes it. ' +
    'It has no included records, so W4 is left out; W7 asks for an empty page and reads its total.',
  translate,
  created: 201,
  readAnswer: (body, { kind }) => {
    const { data, total } = body as { data?: unknown; total?: unknown } // a page, or a record
    if (kind === 'count') return { count: total }
    return kind === 'list' ? data : body
  },
  build
}

function translate(asked: Asked): BenchRequest | undefined {
  if (asked.kind === 'read') return { method: 'GET', path: `/products/${asked.id}` }
  if (asked.kind === 'create') return { method: 'POST', path: '/products', body: asked.data }
  if (asked.kind === 'patch') return { method: 'PATCH', path: `/products/${asked.id}`, body: asked.data }
  if (asked.kind === 'count') return list({ where: asked.where, limit: 0 })
  return asked.filter.include === undefined ? list(asked.filter) : undefined
}

function list({ where = {}, order, limit, skip }: ProductFilter): BenchRequest {
  const [property = '', direction] = order?.split(' ') ?? []
  const query = {
    ...conditionsOf(where),
    ...(order === undefined ? {} : { [`$sort[${property}]`]: direction === 'DESC' ? -1 : 1 }),
    ...(limit === undefined ? {} : { $limit: limit }),
    ...(skip === undefined ? {} : { $skip: skip })
  }
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return { method: 'GET', path: `/products?${text.join('&')}` }
}

function conditionsOf(where: ProductWhere): Readonly<Record<string, unknown>> {
  const range = priceRange(where)
  return {
    ...(range === undefined ? {} : { 'price[$gte]': range[0], 'price[$lte]': range[1] }),
    ...(where.inStock === undefined ? {} : { inStock: where.inStock })
  }
}

// What is used of Feathers, whose types are not installed with the benchmark.
interface Service {
  readonly store: Record<string, object>
}
interface App {
  use: (...parts: unknown[]) => void
  configure: (part: unknown) => void
  service: (name: string) => { hooks: (hooks: object) => void }
  listen: (port: number, host: string) => Promise<Server>
  teardown: () => Promise<unknown>
}
interface Koa {
  koa: (app: unknown) => App
  bodyParser: () => unknown
  errorHandler: () => unknown
  rest: () => unknown
}
type Build = (...parts: unknown[]) => unknown

async function build({ rows, folder }: OtherSettings): Promise<BenchServer> {
  const { feathers: createApp } = await importFrom<{ feathers: () => unknown }>(folder, '@feathersjs/feathers')
  const { koa, bodyParser, errorHandler, rest } = await importFrom<Koa>(folder, '@feathersjs/koa')
  const { MemoryService } = await importFrom<{ MemoryService: new (options: object) => Service }>(
    folder,
    '@feathersjs/memory'
  )
  const app = koa(createApp())
  app.use(errorHandler())
  app.use(bodyParser())
  app.configure(rest())
  const store = Object.fromEntries(makeProducts(rows).map((product) => [product.id, product]))
  const service = new MemoryService({ store, startId: rows + 1, paginate: { default: 20, max: 100 } })
  app.use('products', service)
  app.service('products').hooks(await validation(folder))
  let server: Server | undefined
  return {
    listen: async () => {
      server = await app.listen(0, '127.0.0.1')
      if (!server.listening) await once(server, 'listening')
      return addressOf(server)
    },
    restore: async () => {
      for (const id of Object.keys(service.store)) if (Number(id) > rows) delete service.store[id]
    },
    close: async () => void (await app.teardown())
  }
}

/** Schemas of queries and bodies, with the numbers of a query made of its text. */
async function validation(folder: string): Promise<object> {
  const { Type, querySyntax, getValidator } = await importFrom<{
    Type: Readonly<Record<string, Build>>
    querySyntax: Build
    getValidator: Build
  }>(folder, '@feathersjs/typebox')
  const { Ajv, hooks } = await importFrom<{
    Ajv: new (options: object) => unknown
    hooks: { validateQuery: Build; validateData: Build }
  }>(folder, '@feathersjs/schema')
  const make = (name: string, ...parts: unknown[]): unknown => Type[name]?.(...parts)
  const text = make('String')
  const properties = {
    name: text,
    description: text,
    price: make('Number'),
    inStock: make('Boolean'),
    category: text,
    stock: make('Integer'),
    tags: make('Array', text),
    weight: text,
    created: text
  }
  const data = make('Object', properties)
  const [strict, coercing] = [new Ajv({}), new Ajv({ coerceTypes: true })]
  const query = querySyntax(make('Object', { id: make('Integer'), ...properties }))
  return {
    before: {
      all: [hooks.validateQuery(getValidator(query, coercing))],
      create: [hooks.validateData(getValidator(data, strict))],
      patch: [hooks.validateData(getValidator(make('Partial', data), strict))]
    }
  }
}
