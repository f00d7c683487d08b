import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { makeProducts, makeReviews } from '../bench-data.ts'
import type { BenchServer } from '../servers/bench-server.ts'
import { addressOf, importFrom } from './import-from.ts'
import type { Other, OtherSettings } from './other.ts'

/** LoopBack 3 with the same models, in its memory connector. */
export const loopback: Other = {
  title: 'LoopBack 3',
  packages: { loopback: '3.28.0' },
  told: 'It has the same models in its memory connector and gets the same requests; without access control and logs.',
  translate: (_, request) => request,
  readAnswer: (body) => body,
  build
}

// What is used of LoopBack 3, which brings no types.
interface LoopBack {
  (): LoopBackApp
  rest: () => unknown
  createModel: (definition: object) => object
}
interface LoopBackApp extends RequestListener {
  dataSource: (name: string, settings: object) => { connector: MemoryCache }
  model: (model: object, settings: object) => LoopBackModel
  use: (path: string, handler: unknown) => void
  set: (name: string, value: unknown) => void
}
interface LoopBackModel {
  destroyAll: (where: object) => Promise<unknown>
}
interface MemoryCache {
  cache: Record<string, Record<string, string>>
  ids: Record<string, number>
}

const productProperties = {
  name: { type: 'string', required: true },
  description: { type: 'string', required: true },
  price: { type: 'number', required: true },
  inStock: { type: 'boolean', required: true },
  category: { type: 'string', required: true },
  stock: { type: 'number', required: true },
  tags: { type: ['string'], required: true },
  weight: { type: 'string', required: true },
  created: { type: 'date', required: true }
}

const productParts = {
  properties: productProperties,
  relations: { reviews: { type: 'hasMany', model: 'Review', foreignKey: 'productId' } }
}

const reviewProperties = {
  productId: { type: 'number', required: true },
  author: { type: 'string', required: true },
  stars: { type: 'number', required: true },
  text: { type: 'string', required: true },
  created: { type: 'date', required: true }
}

async function build({ rows, folder }: OtherSettings): Promise<BenchServer> {
  const { default: createApp } = await importFrom<{ default: LoopBack }>(folder, 'loopback')
  const app = createApp()
  // Otherwise it prints a stack for every 404; it reads that before the first model.
  app.set('remoting', { errorHandler: { log: false } })
  const dataSource = app.dataSource('db', { connector: 'memory' })
  const Product = app.model(createApp.createModel({ name: 'Product', ...productParts }), { dataSource })
  app.model(createApp.createModel({ name: 'Review', properties: reviewProperties }), { dataSource })
  app.use('/api', createApp.rest())
  // LoopBack needs minutes to create them one by one.
  fillCache(dataSource.connector, 'Product', makeProducts(rows))
  fillCache(dataSource.connector, 'Review', makeReviews(rows))
  const server = createServer(app)
  return {
    listen: async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return addressOf(server)
    },
    restore: async () => void (await Product.destroyAll({ id: { gt: rows } })),
    close: async () => void server.close()
  }
}

function fillCache({ cache, ids }: MemoryCache, model: string, rows: readonly { id: number }[]): void {
  cache[model] = Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]))
  ids[model] = rows.length + 1
}
