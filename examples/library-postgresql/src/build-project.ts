import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { addLending } from './add-lending.ts'
import { models } from './models.ts'

/** The library as a project with TypeBox models, on the database at this address. */
export async function buildProject(url: string): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 120_000 })
  await app.register(modelwire, { dataSources: { db: postgresql({ url, foreignKeysFromRelations: true }) }, models })
  addLending(app.models)
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}
