// The server of `modelwire serve` in this folder: each of its processes is one. `run-processes` fills the database.
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { defineModels } from './bench-models.ts'

/** Database connections of each process: fourteen processes are there at once, and PostgreSQL has a hundred. */
export const poolSize = 6

/** Modelwire on the database of `BENCH_DATABASE_URL`, with a route that names the process. */
export async function buildServer(options: FastifyServerOptions): Promise<FastifyInstance> {
  const app = Fastify({ ...options, exposeHeadRoutes: false })
  const db = postgresql({ url: process.env['BENCH_DATABASE_URL'], max: poolSize })
  await app.register(modelwire, { dataSources: { db }, models: defineModels({ indexed: true }) })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  app.get('/process', async () => ({ pid: process.pid }))
  return app
}
