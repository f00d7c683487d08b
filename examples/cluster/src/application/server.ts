import { acl } from '@modelwire/acl'
import { changes } from '@modelwire/changes'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { ops } from '@modelwire/ops'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { redisState } from '@modelwire/redis'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import { webhooks } from '@modelwire/webhooks'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { models } from './models.ts'
import { readSettings, type Settings } from './settings.ts'

/** Whichever host writes is the primary; hosts that copy it answer reads of clients that wrote nothing a moment ago. */
function openDatabase({ DATABASE_URL, DATABASE_CONNECTIONS, REPLICAS_URL }: Settings): Connector {
  const replicas =
    REPLICAS_URL === undefined ? {} : { replicas: { url: REPLICAS_URL, maxLag: 5000, readAfterWrite: 5000 } }
  return postgresql({ url: DATABASE_URL, max: DATABASE_CONNECTIONS, ...replicas })
}

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
  await app.register(modelwire, {
    dataSources: { db: openDatabase(settings) },
    models: { User: userModel(), AccessToken: accessTokenModel, ...models },
    ...(settings.REDIS_URL !== undefined && {
      sharedState: redisState({ url: settings.REDIS_URL, prefix: 'shop:' })
    })
  })
  await app.register(ops, { port: settings.PROBES_PORT, host: settings.HOST })
  await app.register(changes, { retention: settings.CHANGES_RETENTION })
  await app.register(acl, { roles: ['admin'] })
  await app.register(users)
  await app.register(webhooks, {
    ...(settings.WEBHOOKS_SECRET !== undefined && { secret: settings.WEBHOOKS_SECRET }),
    allowedHosts: settings.WEBHOOKS_HOSTS,
    keep: settings.WEBHOOKS_KEPT
  })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', idempotency: true })
  return app
}
