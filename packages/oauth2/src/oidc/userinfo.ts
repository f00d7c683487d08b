import type { FastifyReply, FastifyRequest } from 'fastify'
import { InsufficientScope, InvalidToken, type OAuthError } from '../errors.ts'
import { noStore, toOAuthError } from '../http/send-error.ts'
import type { UserFacts } from '../options/user-functions.ts'
import type { GrantFacts } from '../seams.ts'
import { readBearer } from '../resource/read-bearer.ts'
import type { ServerParts } from '../server-parts.ts'
import { userClaims } from './user-claims.ts'

/** Whose token it is, and what the token allows. */
interface Presented {
  readonly facts: GrantFacts
  readonly user: UserFacts
}

/** @throws {InvalidToken} the token is not a living one of a user, or is meant for another server */
async function readPresented(
  { tokens, users, clients, settings }: ServerParts,
  request: FastifyRequest
): Promise<Presented> {
  const value = readBearer(request, false)
  const facts = value === undefined ? undefined : await tokens.findAccessToken(value)
  if (facts === undefined || facts.expiresAt <= new Date())
    throw new InvalidToken('the token is unknown or has expired')
  const { resources = [], scopes, userId } = facts
  if (resources.length > 0 && !resources.includes(settings.issuer ?? ''))
    throw new InvalidToken('the token is for another server')
  if (!scopes.includes('openid')) throw new InsufficientScope('the access token lacks a required scope')
  const user = userId === undefined ? undefined : await users.find(userId)
  if (user === undefined) throw new InvalidToken('the token has no user')
  if ((await clients.find(facts.clientId)) === undefined) throw new InvalidToken('the client no longer exists')
  return { facts, user }
}

/** The challenge of an error by RFC 6750. A request without a token only learns that one is required. */
function challengeOf({ headers }: FastifyRequest, { error, message }: OAuthError): string {
  if (headers.authorization === undefined) return 'Bearer'
  return `Bearer error="${error}", error_description="${message}"${error === 'insufficient_scope' ? ', scope="openid"' : ''}`
}

/**
 * Answers the userinfo endpoint: who the user is, as far as the token's scopes reach.
 * @see OpenID Connect Core 1.0 section 5.3
 */
export async function userinfo(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { claims } = parts.settings.options
  try {
    const { facts, user } = await readPresented(parts, request)
    const own = (await claims?.(user, facts.scopes)) ?? {}
    return reply.headers(noStore).send({ ...userClaims(user, facts.scopes), ...own, sub: String(facts.userId) })
  } catch (thrown) {
    const error = toOAuthError(thrown)
    if (error.statusCode >= 500) throw thrown
    const body = { error: error.error, error_description: error.message }
    return reply
      .code(error.statusCode)
      .headers({ ...noStore, 'www-authenticate': challengeOf(request, error) })
      .send(body)
  }
}
