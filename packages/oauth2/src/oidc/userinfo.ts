import type { FastifyReply, FastifyRequest } from 'fastify'
import { InsufficientScope, InvalidToken, type OAuthError } from '../errors.ts'
import { readBearer } from '../http/read-bearer.ts'
import { noStore, toOAuthError } from '../http/send-error.ts'
import type { UserFacts } from '../options/option-functions.ts'
import { claimsOfScopes, type Settings } from '../options/settings.ts'
import type { ClientDirectory } from '../server/clients/client-directory.ts'
import type { GrantFacts } from '../server/store/grant-facts.ts'
import type { TokenVault } from '../server/store/token-vault.ts'
import type { UserDirectory } from '../server/store/user-directory.ts'

/** Where a claim is found in a user's record: the first of these properties that is there. */
const sources: Readonly<Record<string, readonly string[]>> = {
  name: ['name'],
  family_name: ['family_name', 'familyName', 'lastName'],
  given_name: ['given_name', 'givenName', 'firstName'],
  middle_name: ['middle_name', 'middleName'],
  nickname: ['nickname', 'nick'],
  preferred_username: ['preferred_username', 'username'],
  profile: ['profile'],
  picture: ['picture'],
  website: ['website'],
  gender: ['gender'],
  birthdate: ['birthdate'],
  zoneinfo: ['zoneinfo'],
  locale: ['locale'],
  updated_at: ['updated_at', 'updatedAt', 'lastUpdated'],
  email: ['email'],
  email_verified: ['email_verified', 'emailVerified'],
  address: ['address'],
  phone_number: ['phone_number', 'phoneNumber', 'phone'],
  phone_number_verified: ['phone_number_verified', 'phoneNumberVerified']
}

type ClaimType = 'string' | 'boolean' | 'number' | 'object'
const types: Readonly<Record<string, ClaimType>> = {
  email_verified: 'boolean',
  phone_number_verified: 'boolean',
  updated_at: 'number',
  address: 'object'
}

/** Seconds since 1970 of a time, however the application keeps it. */
function toSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const time = value instanceof Date || typeof value === 'string' ? new Date(value).getTime() : Number.NaN
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/** An address is an object; a text is its `formatted` form. @see OpenID Connect Core 1.0 section 5.1.1 */
const toAddress = (value: unknown): unknown => (typeof value === 'string' ? { formatted: value } : value)

function claimOf(user: UserFacts, claim: string): unknown {
  const source = (sources[claim] ?? []).find((name) => user[name] !== undefined && user[name] !== null)
  const found = source === undefined ? undefined : user[source]
  if (claim === 'updated_at') return toSeconds(found)
  const value = claim === 'address' ? toAddress(found) : found
  return typeof value === (types[claim] ?? 'string') ? value : undefined
}

/** What a client with these scopes may know about a user. A property of another type than the claim's is omitted. */
export function userClaims(user: UserFacts, scopes: readonly string[]): Record<string, unknown> {
  const names = scopes.flatMap((scope) => (Object.hasOwn(claimsOfScopes, scope) ? (claimsOfScopes[scope] ?? []) : []))
  const found = names.map((name) => [name, claimOf(user, name)] as const).filter(([, value]) => value !== undefined)
  return Object.fromEntries(found)
}

/** The dependencies of the UserInfo endpoint. */
interface UserinfoServices {
  readonly settings: Settings
  readonly tokens: TokenVault
  readonly users: UserDirectory
  readonly clients: ClientDirectory
}

/** The owner of a token, and its permissions. */
interface Presented {
  readonly facts: GrantFacts
  readonly user: UserFacts
}

/** @throws {InvalidToken} the token is not a living one of a user, or is meant for another server */
async function readPresented(
  { tokens, users, clients, settings }: UserinfoServices,
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
 * Answers the UserInfo endpoint: who the user is, as far as the token's scopes allow.
 * @see OpenID Connect Core 1.0 section 5.3
 */
export async function userinfo(
  services: UserinfoServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { claims } = services.settings.options
  try {
    const { facts, user } = await readPresented(services, request)
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
