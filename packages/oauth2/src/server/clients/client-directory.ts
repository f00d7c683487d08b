import { ApiError, type ModelClass, type ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { ClientTokenTypeUnsupported } from '../../errors.ts'
import type { ModelNames } from '../store/models.ts'
import { findRecord, type PlainRecord, recordOf } from '../store/records.ts'
import { hashToken, isHashed, matchesStored } from '../store/secrets.ts'
import { type Client, readClient, storedSecret } from './client.ts'

/** Looks up the clients of the application. */
export interface ClientDirectory {
  /** Returns the client with this id; undefined if it does not exist, or is disabled. */
  find(id: string): Promise<Client | undefined>
  /**
   * Returns the client with this id and secret, unless it is disabled. A plain secret in the database is replaced by its
   * hash.
   */
  authenticate(id: string, secret: string): Promise<Client | undefined>
}

/** Token types of LoopBack's component that are not served. */
const unsupportedTokenTypes: readonly string[] = ['jwt', 'mac']

/** The hash of no client's secret: unknown clients cost as much time as known ones. */
const dummyHash = hashToken('')

/** Makes the directory of clients on a model. */
export function makeClientDirectory(clients: () => ModelClass, log: FastifyBaseLogger): ClientDirectory {
  const read = async (id: string): Promise<PlainRecord | undefined> => findRecord(clients(), id)
  const served = (record: PlainRecord): Client | undefined => {
    const client = readClient(record)
    if (client.isDisabled) return undefined
    if (!unsupportedTokenTypes.includes(String(record['tokenType']))) return client
    log.error({ clientId: record['id'] }, 'oauth2: this client has a token type that is not supported: jwt or mac')
    return undefined
  }
  return {
    async find(id) {
      const record = await read(id)
      return record === undefined ? undefined : served(record)
    },
    async authenticate(id, secret) {
      const record = await read(id)
      const stored = record === undefined ? undefined : storedSecret(record)
      const isRight = matchesStored(secret, stored?.value ?? dummyHash)
      if (record === undefined || stored === undefined || !isRight) return undefined
      const { column, value } = stored
      // Not where the secret was replaced meanwhile.
      if (!isHashed(value)) await clients().updateAll({ id, [column]: value }, { [column]: hashToken(secret) })
      return served(record)
    }
  }
}

/** Where clients are stored. */
interface ClientStore {
  readonly registry: ModelRegistry
  readonly names: ModelNames
  readonly log: FastifyBaseLogger
}

/** Clients whose tokens would be of another kind than their applications expect. A database that is not ready has none. */
async function findClients({ registry, names, log }: ClientStore): Promise<readonly string[]> {
  try {
    const where = { tokenType: { inq: unsupportedTokenTypes } }
    const found = await registry.get(names.clients).find({ where, limit: 10 })
    return found.map((client) => String(recordOf(client)['id']))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The start before the first migration: there are no clients, and missing tables are reported where they are
    // needed.
    if (error.code !== 'DATABASE_SCHEMA_MISSING') log.warn({ err: error }, 'oauth2: cannot check the stored clients')
    return []
  }
}

/**
 * Refuses to start if clients of an existing database have unsupported token types.
 * @throws {ClientTokenTypeUnsupported} (when the server gets ready) the message names the clients
 */
export function refuseTokenTypes(app: FastifyInstance, store: ClientStore): void {
  app.addHook('onReady', async () => {
    const ids = await findClients(store)
    if (ids.length > 0)
      throw new ClientTokenTypeUnsupported(
        `clients with the token type jwt or mac are not supported: ${ids.join(', ')}. Set accessTokens to 'jwt' for JWTs, and tokenType to bearer`
      )
  })
}
