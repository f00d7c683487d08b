import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerServices } from '../../container.ts'
import { InvalidClient, UnsupportedTokenType } from '../../errors.ts'
import { bodyParameters, checkTexts, firstOf, queryParameters, required } from '../../http/parameters.ts'
import { noStore } from '../../http/send-error.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import type { StoredToken } from '../store/token-vault.ts'

/** The dependencies of introspection and revocation. */
type StatusServices = Pick<ServerServices, 'assertions' | 'clients' | 'guesses' | 'settings' | 'tokens' | 'users'>

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The answer for an active token. @see RFC 7662 section 2.2 */
function describe(issuer: string | undefined, token: StoredToken, username: unknown): object {
  const { clientId, userId, scopes, resources, issuedAt, expiresAt, kind } = token
  return {
    active: true,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    client_id: clientId,
    ...(typeof username === 'string' ? { username } : {}),
    ...(kind === 'access' ? { token_type: 'Bearer' } : {}),
    ...(Number.isFinite(expiresAt.getTime()) && expiresAt.getTime() < 8.64e15 ? { exp: seconds(expiresAt) } : {}),
    iat: seconds(issuedAt),
    sub: String(userId ?? clientId),
    ...(resources === undefined ? {} : { aud: resources.length === 1 ? resources[0] : resources }),
    ...(issuer === undefined ? {} : { iss: issuer })
  }
}

async function find({ tokens }: StatusServices, value: string): Promise<StoredToken | undefined> {
  return (await tokens.findAccessToken(value)) ?? (await tokens.findRefreshToken(value))
}

/** The answer for a token: inactive, or its facts. */
async function answer(services: StatusServices, value: string, clientId: string): Promise<object> {
  const { settings, clients, users } = services
  const token = await find(services, value)
  // A refresh token concerns only its client.
  const isOthers = token?.kind === 'refresh' && token.clientId !== clientId
  if (token === undefined || isOthers || token.expiresAt <= new Date()) return { active: false }
  if ((await clients.find(token.clientId)) === undefined) return { active: false }
  if (token.userId === undefined) return describe(settings.issuer, token, undefined)
  const user = await users.find(token.userId)
  return user === undefined ? { active: false } : describe(settings.issuer, token, user['username'])
}

/**
 * Answers `POST` of the introspection endpoint. Confidential clients may introspect the access tokens of all clients:
 * resource servers are clients.
 * @see RFC 7662
 */
export async function introspect(
  services: StatusServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const parameters = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(services, request, parameters)
  if (client.isPublic) throw new InvalidClient('a public client cannot introspect tokens')
  const body = await answer(services, required(parameters, 'token'), client.id)
  return reply.headers(noStore).type('application/json').send(body)
}

const hints: ReadonlySet<string | undefined> = new Set([undefined, 'access_token', 'refresh_token'])

/**
 * Answers `POST` of the revocation endpoint: a token of the client is revoked, and the response does not reveal whether it
 * existed.
 * @see RFC 7009 section 2
 */
export async function revoke(
  services: StatusServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { tokens } = services
  const { rules } = services.settings
  const body = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(services, request, body)
  const parameters = rules.readsRevocationsFromQuery ? firstOf(body, checkTexts(queryParameters(request))) : body
  const value = required(parameters, 'token')
  const hint = parameters.one('token_type_hint')
  if (rules.refusesUnknownHints && !hints.has(hint)) throw new UnsupportedTokenType('unknown token type')
  const isLeft =
    rules.keepsUnhintedRefreshTokens && hint !== 'refresh_token' && (await tokens.findRefreshToken(value)) !== undefined
  if (!isLeft) await tokens.revoke(value, client.id)
  void reply.headers(noStore).code(200)
  // No body is needed, but some clients expect JSON.
  return rules.answersRevocationWithoutBody ? reply.send() : reply.type('application/json').send({})
}
