import { InvalidGrant } from '../errors.ts'
import { type Parameters, required } from '../http/parameters.ts'
import type { GrantFacts } from '../seams.ts'
import type { FoundRefreshToken } from '../store/token-vault.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import { covers, parseScopes, stillGranted } from '../tokens/scopes.ts'
import { checkUser } from './check-user.ts'
import type { Grant, GrantRequest } from './grant.ts'
import { makeGrantKind, refreshGrantType } from './grant-kind.ts'
import { issueOrRestore } from './issue-or-restore.ts'
import { readResources } from './read-resources.ts'
import { type RefreshGrace, refreshGrace } from './refresh-grace.ts'

const kind = makeGrantKind({ type: refreshGrantType, title: 'Refresh Token', isInteractive: true })

const wrong = (): InvalidGrant => new InvalidGrant('the refresh token is invalid')

/** A token that was used before ends its family: it was stolen. @see RFC 9700 section 4.14.2 */
async function endReused({ parts }: GrantRequest, { family }: GrantFacts): Promise<never> {
  if (family !== undefined) await parts.tokens.revokeFamily(family)
  throw wrong()
}

/** The token as it is now, if it is this client's. */
async function lookUp({ parts, client, parameters }: GrantRequest): Promise<FoundRefreshToken | { used: GrantFacts }> {
  const found = await parts.tokens.lookUpRefreshToken(tokenOf(parameters))
  if (found === undefined) throw wrong()
  if (('used' in found ? found.used : found.facts).clientId !== client.id) throw wrong()
  return found
}

const tokenOf = (parameters: Parameters): string => required(parameters, 'refresh_token')

/** What a request asks for: a successor is given again for the same only. */
const requestedBy = (parameters: Parameters): string =>
  JSON.stringify([parseScopes(parameters.one('scope')), parameters.all('resource')])

/** Answers a token that was used before: with what came of it where it was used just now, else as a theft. */
async function answerUsed(request: GrantRequest, facts: GrantFacts): Promise<Issued> {
  const { parts, parameters } = request
  const successor = await refreshGrace(parts)?.find(tokenOf(parameters))
  if (successor === undefined) {
    // The request that used it may have failed meanwhile, and given it back.
    const now = await lookUp(request)
    return 'used' in now ? endReused(request, facts) : issue(request)
  }
  if (successor.requested !== requestedBy(parameters))
    throw new InvalidGrant('the refresh token was used just now, for another scope or resource')
  const { scopes, expiresAt, ...tokens } = successor
  return { ...tokens, grant: kind, facts: { ...facts, scopes, issuedAt: new Date(), expiresAt: new Date(expiresAt) } }
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

/** Uses the token up, and makes what follows. */
async function rotate(
  request: GrantRequest,
  found: FoundRefreshToken,
  requested: Pick<GrantFacts, 'scopes' | 'resources'>
): Promise<Issued> {
  if (!(await found.use())) return endReused(request, found.facts)
  const issued = await issueOrRestore(() => makeTokens(request, found, requested), found)
  // A concurrent use of the same token has ended the family, perhaps before these tokens were stored.
  if (!(await found.stands())) await request.parts.tokens.remove(issued.accessToken)
  return issued
}

/** The same for requests that may come at once. */
async function rotateOnce(
  request: GrantRequest,
  grace: RefreshGrace,
  ...[found, requested]: [FoundRefreshToken, Pick<GrantFacts, 'scopes' | 'resources'>]
): Promise<Issued> {
  const { parameters } = request
  const token = tokenOf(parameters)
  if (!(await grace.start(token))) return answerUsed(request, found.facts)
  const issued = await issueOrRestore(() => rotate(request, found, requested), { giveBack: () => grace.end(token) })
  const { facts, accessToken, refreshToken, extras } = issued
  const { scopes, expiresAt } = facts
  try {
    await grace.keep(token, {
      accessToken,
      refreshToken,
      extras,
      scopes,
      expiresAt: expiresAt.getTime(),
      requested: requestedBy(parameters)
    })
  } catch (error) {
    // The tokens are made all the same.
    request.request.log.error({ err: error }, 'oauth2: tokens that follow a refresh token cannot be given again')
  }
  return issued
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { parts, client, parameters } = request
  const found = await lookUp(request)
  if ('used' in found) return answerUsed(request, found.used)
  const { facts, expiresAt } = found
  if (expiresAt !== undefined && expiresAt <= new Date()) throw wrong()
  const requested = {
    scopes: scopesOf(request, facts.scopes),
    resources: readResources(parts, parameters, facts.resources)
  }
  await checkUser(parts, facts.userId)
  // A public client cannot prove that the token is its own: of two uses one shows a theft. @see RFC 9700 section 2.2.2
  const rotates = client.isPublic || parts.settings.options.rotateRefreshTokens
  if (!rotates) return makeTokens(request, found, requested)
  const grace = refreshGrace(parts)
  return grace === undefined ? rotate(request, found, requested) : rotateOnce(request, grace, found, requested)
}

/** Exchanges a refresh token for new tokens, once. @see RFC 6749 section 6 */
export const refreshToken: Grant = { ...kind, allowsPublic: true, issue }
