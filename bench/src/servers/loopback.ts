import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { makeProducts, makeReviews } from '../bench-data.ts'
import type { BenchServer } from './bench-server.ts'

// What is used of LoopBack 3, which brings no types.
interface LoopBack {
  (): LoopBackApp
  rest: () => unknown
  createModel: (definition: object) => object
  registry: { getModel: (name: string) => LoopBackModel }
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

const reviewProperties = {
  productId: { type: 'number', required: true },
  author: { type: 'string', required: true },
  stars: { type: 'number', required: true },
  text: { type: 'string', required: true },
  created: { type: 'date', required: true }
}

/** LoopBack 3 with the same models, loaded from the folder where it is installed. */
export function buildLoopBack(rows: number, folder: string): BenchServer {
  const require = createRequire(resolve(folder, 'package.json'))
  const loopback = require('loopback') as LoopBack
  const app = loopback()
  const dataSource = app.dataSource('db', { connector: 'memory' })
  const Product = app.model(loopback.createModel({ name: 'Product', properties: productProperties }), { dataSource })
  app.model(loopback.createModel({ name: 'Review', properties: reviewProperties }), { dataSource })
  // Otherwise it prints a stack for every 404.
  app.set('remoting', { errorHandler: { log: false } })
  app.use('/api', loopback.rest())
  // LoopBack needs minutes to create them one by one.
  fillCache(dataSource.connector, 'Product', makeProducts(rows))
  fillCache(dataSource.connector, 'Review', makeReviews(rows))
  const server = createServer(app)
  return {
    listen: () => listen(server),
    restore: async () => void (await Product.destroyAll({ id: { gt: rows } })),
    close: async () => void server.close()
  }
}

function fillCache({ cache, ids }: MemoryCache, model: string, rows: readonly { id: number }[]): void {
  cache[model] = Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]))
  ids[model] = rows.length + 1
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
