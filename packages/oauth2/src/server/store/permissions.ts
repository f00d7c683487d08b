import type { ModelClass } from '@modelwire/core'
import { dateOf, recordOf, textsOf } from './records.ts'

/** What users have consented to for clients. */
export interface Permissions {
  /** True if the user has consented to these scopes, or more, for the client; without scopes, to anything at all. */
  covers(clientId: string, userId: unknown, scopes: readonly string[]): Promise<boolean>
  /** Stores a user's consent, replacing the previous one. */
  save(clientId: string, userId: unknown, scopes: readonly string[]): Promise<void>
  /** Removes a user's consent. */
  remove(userId: unknown, clientId?: string): Promise<void>
  /** Removes all users' consents for a client. */
  removeClient(clientId: string): Promise<void>
}

/** True when all of `scopes` are among `granted`. */
export function covers(granted: readonly string[], scopes: readonly string[]): boolean {
  return scopes.every((scope) => granted.includes(scope))
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
