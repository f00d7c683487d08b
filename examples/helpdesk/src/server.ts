import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { explorer } from '@modelwire/explorer'
import { oauth2 } from '@modelwire/oauth2'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { models } from './models.ts'

/** What clients of OAuth 2.0 may do: the rules of the models count as well. */
const scopeMappings = { 'tickets:sum': ['Ticket.aggregate'] }

/** The help desk, ready to listen or to be asked by inject. */
export async function buildServer(options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 120_000, ...options })
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: { User: userModel(), AccessToken: accessTokenModel, ...models }
  })
  await app.register(acl)
  await app.register(users)
  await app.register(relations)
  await app.register(oauth2, {
    issuer: process.env['ISSUER'] ?? 'http://127.0.0.1:3000',
    userModel: 'Agent',
    // Of a real server: from its environment, the same in all of its processes.
    session: { secret: process.env['SESSION_SECRET'] ?? 'change me: at least thirty-two signs' },
    openOperations: ['Agent.login'],
    scopeMappings
  })
  // Login tokens of agents are taken beside tokens of clients.
  app.oauth2.authenticate('/api', { optional: true })
  await app.register(rest, { prefix: '/api', handling: 'strict' })
  await app.register(explorer, { apiInfo: { title: 'Help desk', version: '1.0.0' } })
  await app.ready()
  return app
}
