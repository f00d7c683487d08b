import { InvalidToken } from '../errors.ts'
import type { OAuth2Parts } from '../parts.ts'
import type { GrantFacts } from '../seams.ts'
import { TokenExpired, TokenOrphaned } from './resource-errors.ts'
import type { TokenAccess } from './token-access.ts'

/** Reads tokens, users and clients of this process. */
export type LocalParts = Pick<OAuth2Parts, 'tokens' | 'users' | 'clients'>

/** What belongs to a token must still be there. */
async function complete(access: TokenAccess, { users, clients }: LocalParts): Promise<TokenAccess> {
  const { userId, clientId } = access
  const [user, client] = await Promise.all([
    userId === undefined ? undefined : users.find(userId),
    clients.find(clientId)
  ])
  if (client === undefined) throw new TokenOrphaned(`Access token has invalid app id: ${clientId}`)
  if (userId !== undefined && user === undefined)
    throw new TokenOrphaned(`Access token has invalid user id: ${String(userId)}`)
  return { ...access, user, client: client.record }
}

function accessOf({ clientId, userId, scopes, resources, issuedAt, expiresAt }: GrantFacts): TokenAccess {
  return { clientId, userId: userId ?? undefined, scopes, audience: resources, issuedAt, expiresAt }
}

/**
 * Makes the function that looks opaque tokens up.
 * @param audience names of this resource: a token for another one is refused
 * @throws {InvalidToken} (the function) it is unknown, revoked, expired, or meant for another resource
 */
export function localChecker(parts: LocalParts, audience: readonly string[]): (token: string) => Promise<TokenAccess> {
  return async (token) => {
    const found = await parts.tokens.findAccessToken(token)
    if (found === undefined) throw new InvalidToken('the token is unknown or revoked')
    if (found.expiresAt.getTime() <= Date.now()) throw new TokenExpired('Access token is expired')
    const { resources = [] } = found
    if (resources.length > 0 && !resources.some((name) => audience.includes(name)))
      throw new InvalidToken('the token is for another resource')
    return complete(accessOf(found), parts)
  }
}
