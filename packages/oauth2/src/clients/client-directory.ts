import type { FastifyBaseLogger } from 'fastify'
import type { ModelClass } from '@modelwire/core'
import { hashToken, isHashed, matchesStored } from '../store/hash-token.ts'
import { findRecord, type PlainRecord } from '../store/record-of.ts'
import type { Client } from './client.ts'
import { readClient, storedSecret } from './read-client.ts'

/** The clients of the application. */
export interface ClientDirectory {
  /** The client with this id; undefined when there is none, or it is disabled. */
  find(id: string): Promise<Client | undefined>
  /** The client with this id and secret, unless it is disabled. A plain secret in the database is replaced by its hash. */
  authenticate(id: string, secret: string): Promise<Client | undefined>
}

/** Token types of LoopBack's component that are not served. */
export const unsupportedTokenTypes: readonly string[] = ['jwt', 'mac']

/** The hash of no client's secret: unknown clients cost as much time as known ones. */
const dummyHash = hashToken('')

/** Makes the directory of clients on a model. */
export function makeClientDirectory(clients: () => ModelClass, log: FastifyBaseLogger): ClientDirectory {
  const read = async (id: string): Promise<PlainRecord | undefined> => findRecord(clients(), id)
  const served = (record: PlainRecord): Client | undefined => {
    const client = readClient(record)
    if (client.isDisabled) return undefined
    if (!unsupportedTokenTypes.includes(String(record['tokenType']))) return client
    log.error({ clientId: record['id'] }, 'oauth2: this client has a token type that is not served: jwt or mac')
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
