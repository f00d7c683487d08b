import { mongodb } from '@modelwire/connector-mongodb'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { objectIdText } from '../bench-data.ts'
import { defineModels } from './bench-models.ts'
import type { BenchServer } from './bench-server.ts'

/** Modelwire as its users write it on a MongoDB database, in which the records are already. */
export async function buildModelwireMongodb(
  rows: number,
  databaseUrl: string
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const app = Fastify({ exposeHeadRoutes: false })
  const db = mongodb({ url: databaseUrl })
  await app.register(modelwire, { dataSources: { db }, models: defineModels({ indexed: true, textIds: true }) })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await db.migrate?.([app.models.typeOf('Product'), app.models.typeOf('Review')], { empty: false })
  // Their types are those of ids that count.
  const Product = app.models.get('Product')
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => void (await Product.destroyAll({ id: { gt: objectIdText(rows) } })),
    close: () => app.close()
  }
  return { app, server }
}
