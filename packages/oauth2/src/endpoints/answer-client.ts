import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthError } from '../errors.ts'
import { describable, noStore, toOAuthError } from '../http/send-error.ts'
import type { Settings } from '../settings.ts'
import type { AnswerTo } from './authorization-request.ts'

/** Members of an answer; absent ones are left out. */
type Members = Readonly<Record<string, string | number | undefined>>

function addressWith({ redirectUri, mode }: AnswerTo, members: Members): string {
  const pairs = Object.entries(members).filter(([, value]) => value !== undefined)
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  if (mode === 'fragment') return `${redirectUri}#${text}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${text}`
}

/**
 * Sends the browser back to the client, with who answers, against mix-ups.
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

/** Sends an error back to the client. */
export function refuseClient(
  settings: Settings,
  reply: FastifyReply,
  answerTo: AnswerTo,
  { error, message }: OAuthError
): FastifyReply {
  return answerClient(settings, reply, answerTo, { error, error_description: describable(message) })
}

/** Sends back to the client that its request failed. What failed stays in the log. */
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
