import type { FastifyReply } from 'fastify'
import { authorizationCode } from '../grants/authorization-code.ts'
import { implicit } from '../grants/implicit.ts'
import type { UserFacts } from '../options/user-functions.ts'
import type { ServerParts } from '../server-parts.ts'
import { issueTokens, tokenRequest } from '../tokens/issue-token.ts'
import { lifetimeOf } from '../tokens/lifetimes.ts'
import { makeToken } from '../tokens/make-token.ts'
import { answerClient } from './answer-client.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** What a user has permitted, and when the user logged in. */
export interface Permitted {
  readonly request: AuthorizationRequest
  readonly user: UserFacts
  readonly authTime: Date
}

/** Makes and stores a code. */
async function issueCode(parts: ServerParts, { request, user, authTime }: Permitted): Promise<string> {
  const { client, scopes, resources, requestedRedirectUri, challenge, nonce } = request
  const grant = authorizationCode
  const details = { redirectURI: request.answerTo.redirectUri }
  const { id } = makeToken(parts.settings.options.generateToken, tokenRequest({ client, user, scopes, grant, details }))
  const grantType = grant.type
  const seconds = lifetimeOf(parts.settings, { kind: 'code', clientId: client.id, userId: user.id, scopes, grant })
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + seconds * 1000)
  const facts = { clientId: client.id, userId: user.id, scopes, resources, grantType, issuedAt, expiresAt, authTime }
  await parts.codes.save({
    value: id,
    facts: nonce === undefined ? facts : { ...facts, nonce },
    redirectUri: requestedRedirectUri,
    challenge
  })
  return id
}

async function sendToken(parts: ServerParts, reply: FastifyReply, permitted: Permitted): Promise<FastifyReply> {
  const { client, scopes, resources, answerTo } = permitted.request
  const { user, authTime } = permitted
  const details = { redirectURI: answerTo.redirectUri }
  const issued = await issueTokens(parts, {
    client,
    user,
    userId: user.id,
    scopes,
    resources,
    grant: implicit,
    authTime,
    details
  })
  const { facts, accessToken } = issued
  return answerClient(parts.settings, reply, answerTo, {
    access_token: accessToken,
    expires_in: Math.round((facts.expiresAt.getTime() - facts.issuedAt.getTime()) / 1000),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    token_type: 'Bearer'
  })
}

/** Answers a request that the user permits: with a code, or with a token in the fragment. */
export async function grantAuthorization(
  parts: ServerParts,
  reply: FastifyReply,
  permitted: Permitted
): Promise<FastifyReply> {
  const { responseType, answerTo } = permitted.request
  if (responseType === 'token') return sendToken(parts, reply, permitted)
  return answerClient(parts.settings, reply, answerTo, { code: await issueCode(parts, permitted) })
}
