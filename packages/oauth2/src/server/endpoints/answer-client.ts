import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerServices } from '../../container.ts'
import type { OAuthError } from '../../errors.ts'
import { describable, noStore, toOAuthError } from '../../http/send-error.ts'
import type { UserFacts } from '../../options/option-functions.ts'
import type { Settings } from '../../options/settings.ts'
import { authorizationCode } from '../grants/authorization-code.ts'
import { implicit } from '../grants/grant-table.ts'
import { makeToken, tokenRequest } from '../tokens/issue-token.ts'
import { lifetimeOf } from '../tokens/lifetimes.ts'
import type { AnswerTo, AuthorizationRequest } from './authorization-request.ts'

/** Members of a response; absent ones are omitted. */
type Members = Readonly<Record<string, string | number | undefined>>

function addressWith({ redirectUri, mode }: AnswerTo, members: Members): string {
  const pairs = Object.entries(members).filter(([, value]) => value !== undefined)
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  if (mode === 'fragment') return `${redirectUri}#${text}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${text}`
}

/**
 * Redirects the browser back to the client, including the issuer, against mix-up attacks.
 * @see RFC 6749 section 4.1.2, RFC 9207
 */
export function answerClient(
  { issuer }: Settings,
  reply: FastifyReply,
  answerTo: AnswerTo,
  members: Members
): FastifyReply {
  const address = addressWith(answerTo, { ...members, state: answerTo.state, iss: issuer })
  // The address holds a code: it must not be the referrer of anything.
  return reply.headers({ ...noStore, 'referrer-policy': 'no-referrer' }).redirect(address, 302)
}

/** Redirects back to the client with an error. */
export function refuseClient(
  settings: Settings,
  reply: FastifyReply,
  answerTo: AnswerTo,
  { error, message }: OAuthError
): FastifyReply {
  return answerClient(settings, reply, answerTo, { error, error_description: describable(message) })
}

/** Redirects back to the client with a server error. The cause is only logged. */
export function failClient(
  settings: Settings,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answerTo: AnswerTo,
  thrown: unknown
): FastifyReply {
  const error = toOAuthError(thrown)
  if (error.statusCode >= 500) request.log.error({ err: thrown }, 'oauth2: an authorization request failed')
  return refuseClient(settings, reply, answerTo, error)
}

/** The dependencies for responding to a permitted request. */
type AnswerServices = Pick<ServerServices, 'codes' | 'issueTokens' | 'settings'>

/** What a user has consented to, and when the user logged in. */
export interface Permitted {
  readonly request: AuthorizationRequest
  readonly user: UserFacts
  readonly authTime: Date
}

/** Makes and stores a code. */
async function issueCode(services: AnswerServices, { request, user, authTime }: Permitted): Promise<string> {
  const { client, scopes, resources, requestedRedirectUri, challenge, nonce } = request
  const grant = authorizationCode
  const details = { redirectURI: request.answerTo.redirectUri }
  const { id } = makeToken(
    services.settings.options.generateToken,
    tokenRequest({ client, user, scopes, grant, details })
  )
  const grantType = grant.type
  const seconds = lifetimeOf(services.settings, { kind: 'code', clientId: client.id, userId: user.id, scopes, grant })
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + seconds * 1000)
  const facts = { clientId: client.id, userId: user.id, scopes, resources, grantType, issuedAt, expiresAt, authTime }
  await services.codes.save({
    value: id,
    facts: nonce === undefined ? facts : { ...facts, nonce },
    redirectUri: requestedRedirectUri,
    challenge
  })
  return id
}

async function sendToken(services: AnswerServices, reply: FastifyReply, permitted: Permitted): Promise<FastifyReply> {
  const { client, scopes, resources, answerTo } = permitted.request
  const { user, authTime } = permitted
  const details = { redirectURI: answerTo.redirectUri }
  const issued = await services.issueTokens({
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
  return answerClient(services.settings, reply, answerTo, {
    access_token: accessToken,
    expires_in: Math.round((facts.expiresAt.getTime() - facts.issuedAt.getTime()) / 1000),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    token_type: 'Bearer'
  })
}

/** Responds to a request that the user permits: with a code, or with a token in the fragment. */
export async function grantAuthorization(
  services: AnswerServices,
  reply: FastifyReply,
  permitted: Permitted
): Promise<FastifyReply> {
  const { responseType, answerTo } = permitted.request
  if (responseType === 'token') return sendToken(services, reply, permitted)
  return answerClient(services.settings, reply, answerTo, { code: await issueCode(services, permitted) })
}
