import { acl } from '@modelwire/acl'
import { changes } from '@modelwire/changes'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import { ops } from '@modelwire/ops'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { models } from './models.ts'
import { readSettings, type Settings } from './settings.ts'

/** The shop, which its caller has listen. */
export async function buildServer(
  options: FastifyServerOptions = {},
  settings: Settings = readSettings()
): Promise<FastifyInstance> {
  const app = Fastify({
    requestTimeout: 120_000,
    logger: { level: settings.LOG_LEVEL },
    // HAProxy is there, and says who the client is.
    trustProxy: settings.TRUSTED_PROXY,
    ...options
  })
  const db = postgresql({ url: settings.DATABASE_URL, max: settings.DATABASE_CONNECTIONS })
  await app.register(modelwire, {
    dataSources: { db },
    models: { User: userModel(), AccessToken: accessTokenModel, ...models }
  })
  await app.register(ops, { port: settings.PROBES_PORT, host: settings.HOST })
  await app.register(changes, { retention: settings.CHANGES_RETENTION })
  await app.register(acl, { roles: ['admin'] })
  await app.register(users)
  await app.register(relations)
  await app.register(rest, { prefix: '/api', idempotency: true })
  return app
}
