import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import type { BenchServer } from './bench-server.ts'
import { benchTables } from './bench-tables.ts'
import { fillPostgresql } from './fill-postgresql.ts'

const required = (type: string): { type: string; required: true } => ({ type, required: true })

/** The models as LoopBack made the tables of them. */
const models: readonly ModelDefinition[] = [
  {
    name: 'Product',
    public: true,
    properties: {
      name: required('string'),
      description: required('string'),
      price: { ...required('number'), postgresql: { dataType: 'float' } },
      inStock: required('boolean'),
      category: required('string'),
      stock: required('number'),
      created: required('date'),
      tags: ['string'],
      size: 'object',
      changed: { type: 'date', postgresql: { dataType: 'timestamp' } }
    },
    relations: { reviews: { type: 'hasMany', model: 'Review', foreignKey: 'productId' } }
  },
  {
    name: 'Review',
    public: true,
    properties: {
      productId: required('number'),
      author: required('string'),
      stars: required('number'),
      text: required('string'),
      created: required('date')
    }
  }
]

/** Modelwire on the tables of LoopBack's connector, which it only reads, with the rules of LoopBack 3. */
export async function buildOnLoopBackTables(
  rows: number,
  databaseUrl: string
): Promise<{ app: FastifyInstance; server: BenchServer }> {
  const { create, names } = benchTables.loopback
  const pool = new Pool({ connectionString: databaseUrl })
  await pool.query(create)
  await fillPostgresql(pool, rows, names)
  await pool.end()
  const app = Fastify({ exposeHeadRoutes: false })
  const db = postgresql({ url: databaseUrl })
  await app.register(modelwire, { dataSources: { db }, models, version: 3, compat: true })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  const server: BenchServer = {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => {},
    close: () => app.close()
  }
  return { app, server }
}
