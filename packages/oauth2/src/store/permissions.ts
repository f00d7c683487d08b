import type { ModelClass } from '@modelwire/core'
import { covers } from '../tokens/scopes.ts'
import { dateOf, recordOf, textsOf } from './record-of.ts'

/** What users have permitted to clients. */
export interface Permissions {
  /** True when the user has permitted these scopes, or more, to the client; without scopes, anything at all. */
  covers(clientId: string, userId: unknown, scopes: readonly string[]): Promise<boolean>
  /** Keeps what a user has permitted, in place of what was permitted before. */
  save(clientId: string, userId: unknown, scopes: readonly string[]): Promise<void>
  /** Forgets what a user has permitted. */
  remove(userId: unknown, clientId?: string): Promise<void>
  /** Forgets what all users have permitted to a client. */
  removeClient(clientId: string): Promise<void>
}

/** Makes the store of permissions on a model. */
export function makePermissions(permissions: () => ModelClass): Permissions {
  return {
    async covers(clientId, userId, scopes) {
      const found = await permissions().findOne({ where: { appId: clientId, userId }, order: 'issuedAt DESC' })
      if (found === null) return false
      const record = recordOf(found)
      const end = dateOf(record, 'expiredAt')
      return (end === undefined || end > new Date()) && covers(textsOf(record, 'scopes'), scopes)
    },
    async save(clientId, userId, scopes) {
      const facts = { issuedAt: new Date(), scopes: [...scopes] }
      const { count } = await permissions().updateAll({ appId: clientId, userId }, facts)
      if (count === 0) await permissions().create({ appId: clientId, userId, ...facts })
    },
    async remove(userId, clientId) {
      await permissions().destroyAll({ userId, ...(clientId === undefined ? {} : { appId: clientId }) })
    },
    async removeClient(clientId) {
      await permissions().destroyAll({ appId: clientId })
    }
  }
}
