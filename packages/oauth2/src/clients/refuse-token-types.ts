import { ApiError } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { ClientTokenTypeUnsupported } from '../errors.ts'
import type { OAuth2Parts } from '../parts.ts'
import { recordOf } from '../store/record-of.ts'
import { unsupportedTokenTypes } from './client-directory.ts'

/** Clients whose tokens would be of another kind than their applications expect. A database that is not ready has none. */
async function findClients({ registry, names, log }: OAuth2Parts): Promise<readonly string[]> {
  try {
    const where = { tokenType: { inq: unsupportedTokenTypes } }
    const found = await registry.get(names.clients).find({ where, limit: 10 })
    return found.map((client) => String(recordOf(client)['id']))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The start before the first migration: there are no clients, and missing tables are reported where they are
    // needed.
    if (error.code !== 'DATABASE_SCHEMA_MISSING')
      log.warn({ err: error }, 'oauth2: the clients cannot be looked through')
    return []
  }
}

/**
 * Refuses to start where clients of an existing database have token types that are not served.
 * @throws {ClientTokenTypeUnsupported} (when the server gets ready) the message names the clients
 */
export function refuseTokenTypes(app: FastifyInstance, parts: OAuth2Parts): void {
  app.addHook('onReady', async () => {
    const ids = await findClients(parts)
    if (ids.length > 0)
      throw new ClientTokenTypeUnsupported(
        `clients with the token type jwt or mac are not served: ${ids.join(', ')}. Set accessTokens to 'jwt' for JWTs, and tokenType to bearer`
      )
  })
}
