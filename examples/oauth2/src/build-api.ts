import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { resourceServer } from '@modelwire/oauth2'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { api, issuer } from './addresses.ts'
import { keepApart } from './keep-apart.ts'
import { Note } from './note.ts'

/** Serves notes to callers with a token of the authorization server. It has no users and no passwords. */
export async function buildApi(): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 120_000 })
  await app.register(modelwire, { dataSources: { db: memory() }, models: { Note } })
  keepApart(app.models)
  await app.register(resourceServer, {
    issuer,
    audience: api,
    // Both servers are on this machine; elsewhere the keys come over TLS.
    allowHttp: true,
    protect: '/api',
    scopeMappings: { 'notes:read': ['Note.find'], 'notes:write': ['Note.create'], 'notes:count': ['Note.count'] }
  })
  await app.register(rest, { prefix: '/api' })
  return app
}
