import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { InvalidClient } from '../errors.ts'
import { bodyParameters, required } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import { noStore } from '../http/send-error.ts'
import type { StoredToken } from '../seams.ts'
import type { ServerParts } from '../server-parts.ts'

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The answer for an active token. @see RFC 7662 section 2.2 */
function describe({ settings: { issuer } }: ServerParts, token: StoredToken, username: unknown): object {
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

async function find({ tokens }: ServerParts, value: string): Promise<StoredToken | undefined> {
  return (await tokens.findAccessToken(value)) ?? (await tokens.findRefreshToken(value))
}

/** The answer for a token: inactive, or its facts. */
async function answer(parts: ServerParts, value: string, clientId: string): Promise<object> {
  const token = await find(parts, value)
  // A refresh token concerns only its client.
  const isOthers = token?.kind === 'refresh' && token.clientId !== clientId
  if (token === undefined || isOthers || token.expiresAt <= new Date()) return { active: false }
  if ((await parts.clients.find(token.clientId)) === undefined) return { active: false }
  if (token.userId === undefined) return describe(parts, token, undefined)
  const user = await parts.users.find(token.userId)
  return user === undefined ? { active: false } : describe(parts, token, user['username'])
}

/**
 * Answers `POST` of the introspection endpoint. Confidential clients may introspect the access tokens of all clients:
 * resource servers are clients.
 * @see RFC 7662
 */
export async function introspect(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const parameters = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(parts, request, parameters, parts.verifyAssertion)
  if (client.isPublic) throw new InvalidClient('a public client cannot ask about tokens')
  const body = await answer(parts, required(parameters, 'token'), client.id)
  return reply.headers(noStore).type('application/json').send(body)
}
