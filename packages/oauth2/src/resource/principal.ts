import type { CallerId, Principal } from '@modelwire/core'
import type { TokenAccess } from './token-access.ts'

/** Scopes with a meaning inside of users: no client may get it by requesting a scope of that name. */
const reserved: ReadonlySet<string> = new Set(['reset-password'])

/** The caller as access rules see it: user, client, and scopes. Methods without scopes of their own are left to the rules. */
export function principalOf({ clientId, userId, scopes }: TokenAccess): Principal {
  const granted = scopes.filter((scope) => !reserved.has(scope))
  // Ids have the type that the property of the user model declares.
  return { userId: (userId ?? undefined) as CallerId | undefined, appId: clientId, scopes: [...granted, 'DEFAULT'] }
}

/** The token as handlers and scripts of LoopBack know it, without its value. */
export function tokenRecord(access: TokenAccess): Record<string, unknown> {
  const { clientId, userId, scopes, issuedAt, expiresAt } = access
  const lifetime =
    issuedAt === undefined || expiresAt === undefined ? undefined : (expiresAt.getTime() - issuedAt.getTime()) / 1000
  return { appId: clientId, userId, scopes: [...scopes], issuedAt, expiredAt: expiresAt, expiresIn: lifetime }
}
