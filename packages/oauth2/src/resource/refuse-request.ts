import type { FastifyReply, FastifyRequest } from 'fastify'
import { InsufficientScope, InvalidRequest, type OAuthError } from '../errors.ts'
import { type ChallengeFacts, challengeOf } from './challenge.ts'
import { TokenExpired, TokenMissing, TokenOrphaned } from './resource-errors.ts'

/** Writes status and headers of a refusal, and returns its body. */
export type RefuseRequest = (error: OAuthError, reply: FastifyReply, scopes: readonly string[]) => string

/** Why a request may not go on. */
export interface Refusal {
  readonly error: Error
  /** See {@link RefuseRequest}; absent for an error that the server's handler answers: no token was judged. */
  readonly write?: (reply: FastifyReply) => string
}

/** Refuses a request in a hook. */
export type Refuse = (
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => void

/** Refuses a request at once. */
export const refuseNow: Refuse = ({ error, write }, _request, reply, done) => {
  if (write === undefined) done(error)
  else void reply.send(write(reply))
}

/** Answers as the RFCs have it: JSON with a challenge. @see RFC 6750 section 3.1 */
export function makeRefusal(facts: ChallengeFacts): RefuseRequest {
  return (error, reply, scopes) => {
    const wanted = scopes.length > 0 ? scopes : (facts.operationScopes?.(reply.request) ?? [])
    void reply
      .code(error.statusCode)
      .headers({ ...error.headers, 'cache-control': 'no-store' })
      .header('www-authenticate', challengeOf(error, facts, wanted))
      .type('application/json; charset=utf-8')
    return JSON.stringify({ error: error.error, error_description: error.message })
  }
}

function writeText(reply: FastifyReply, status: number, text: string): string {
  void reply.code(status).type('text/plain; charset=utf-8')
  return text
}

function writeJson(reply: FastifyReply, error: string, description: string): string {
  void reply.code(403).type('application/json')
  return JSON.stringify({ error, error_description: description })
}

/** Answers as loopback-component-oauth2 did. LB3: pinned by the recorded pairs 36 to 54. */
export const refuseLikeLoopBack: RefuseRequest = (error, reply) => {
  if (error instanceof InsufficientScope) return writeJson(reply, 'insufficient_scope', 'Insufficient scope')
  if (error instanceof TokenExpired || error instanceof TokenOrphaned)
    return writeJson(reply, 'invalid_grant', error.message)
  if (error instanceof InvalidRequest) return writeText(reply, 400, 'Bad Request')
  const detail = error instanceof TokenMissing ? '' : ', error="invalid_token"'
  void reply.header('www-authenticate', `Bearer realm="Users"${detail}`)
  return writeText(reply, error.statusCode, 'Unauthorized')
}
