import { InvalidGrant } from '../errors.ts'
import { required } from '../http/parameters.ts'
import type { GrantFacts } from '../seams.ts'
import type { FoundRefreshToken } from '../store/token-vault.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import { covers, parseScopes, stillGranted } from '../tokens/scopes.ts'
import { checkUser } from './check-user.ts'
import type { Grant, GrantRequest } from './grant.ts'
import { makeGrantKind, refreshGrantType } from './grant-kind.ts'
import { issueOrRestore } from './issue-or-restore.ts'
import { readResources } from './read-resources.ts'

const kind = makeGrantKind({ type: refreshGrantType, title: 'Refresh Token', isInteractive: true })

const wrong = (): InvalidGrant => new InvalidGrant('the refresh token is invalid')

/** A token that was used before ends its family: it was stolen. @see RFC 9700 section 4.14.2 */
async function endReused({ parts }: GrantRequest, { family }: GrantFacts): Promise<never> {
  if (family !== undefined) await parts.tokens.revokeFamily(family)
  throw wrong()
}

/** The token, if this client may use it now. */
async function find(request: GrantRequest): Promise<FoundRefreshToken> {
  const { parts, client, parameters } = request
  const found = await parts.tokens.lookUpRefreshToken(required(parameters, 'refresh_token'))
  if (found === undefined) throw wrong()
  const facts = 'used' in found ? found.used : found.facts
  if (facts.clientId !== client.id) throw wrong()
  if ('used' in found) return endReused(request, facts)
  if (found.expiresAt !== undefined && found.expiresAt <= new Date()) throw wrong()
  return found
}

/**
 * The scopes of the new access token: those that were granted and that the client may still have, or fewer.
 * LB3: more are `invalid_grant`; pinned by the recorded pairs.
 */
function scopesOf({ parts, client, parameters }: GrantRequest, granted: readonly string[]): readonly string[] {
  const requested = parseScopes(parameters.one('scope'))
  const left = stillGranted(parts.settings, client, granted)
  if (!covers(left, requested)) throw wrong()
  return requested.length === 0 ? left : requested
}

/** Makes the tokens that follow. The refresh token keeps all that was granted. */
async function makeTokens(
  { parts, client }: GrantRequest,
  { facts, expiresAt }: FoundRefreshToken,
  requested: Pick<GrantFacts, 'scopes' | 'resources'>
): Promise<Issued> {
  return issueTokens(parts, {
    client,
    userId: facts.userId,
    ...requested,
    granted: facts,
    grant: kind,
    family: facts.family,
    // The chain of a public client ends when its first token would have: nothing else ever authenticates its user
    // again.
    refreshEnd: client.isPublic ? expiresAt : undefined,
    authTime: facts.authTime
  })
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { parts, client, parameters } = request
  const { settings, tokens } = parts
  const found = await find(request)
  const { facts } = found
  const scopes = scopesOf(request, facts.scopes)
  const resources = readResources(parts, parameters, facts.resources)
  await checkUser(parts, facts.userId)
  // A public client cannot prove that the token is its own: of two uses one shows a theft. @see RFC 9700 section 2.2.2
  const rotates = client.isPublic || settings.options.rotateRefreshTokens
  if (!rotates) return makeTokens(request, found, { scopes, resources })
  if (!(await found.use())) return endReused(request, facts)
  const issued = await issueOrRestore(() => makeTokens(request, found, { scopes, resources }), found)
  // A concurrent use of the same token has ended the family, perhaps before these tokens were stored.
  if (!(await found.stands())) await tokens.remove(issued.accessToken)
  return issued
}

/** Exchanges a refresh token for new tokens, once. @see RFC 6749 section 6 */
export const refreshToken: Grant = { ...kind, allowsPublic: true, issue }
