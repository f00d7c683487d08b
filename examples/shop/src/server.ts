import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { explorer } from '@modelwire/explorer'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describeLines } from './curl-lines.ts'
import { models } from './models.ts'
import { seed } from './seed.ts'
import { workOutTotals } from './work-out-totals.ts'

/** The shop, filled and ready to listen. */
export async function buildServer(options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 120_000, ...options })
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  workOutTotals(app.models)
  await app.register(relations)
  await app.register(rest, { prefix: '/api', answersXml: true })
  await app.register(explorer, { apiInfo: { title: 'The shop', version: '1.0.0' } })
  app.get('/', (request) => describeLines(`${request.protocol}://${request.host}`))
  await app.ready()
  await seed(app.models)
  return app
}
