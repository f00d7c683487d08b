import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { UnsupportedTokenType } from '../errors.ts'
import { bodyParameters, firstOf, queryParameters, required } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import { noStore } from '../http/send-error.ts'
import type { ServerParts } from '../server-parts.ts'

const hints: ReadonlySet<string | undefined> = new Set([undefined, 'access_token', 'refresh_token'])

/**
 * Answers `POST` of the revocation endpoint: a token of the client is revoked, and the answer does not reveal whether
 * there was one.
 * @see RFC 7009 section 2
 */
export async function revoke(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { tokens } = parts
  const { rules } = parts.settings
  const body = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(parts, request, body, parts.verifyAssertion)
  const parameters = rules.readsRevocationsFromQuery ? firstOf(body, checkTexts(queryParameters(request))) : body
  const value = required(parameters, 'token')
  const hint = parameters.one('token_type_hint')
  if (rules.refusesUnknownHints && !hints.has(hint)) throw new UnsupportedTokenType('unknown token type')
  const isLeft =
    rules.keepsUnhintedRefreshTokens && hint !== 'refresh_token' && (await tokens.findRefreshToken(value)) !== undefined
  if (!isLeft) await tokens.revoke(value, client.id)
  const answer = reply.headers(noStore).code(200)
  // No body is needed, but some clients expect JSON.
  return rules.answersRevocationWithoutBody ? answer.send() : answer.type('application/json').send({})
}
