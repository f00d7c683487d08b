import type { FastifyReply } from 'fastify'
import { InsufficientScope, InvalidRequest, type OAuthError } from '../errors.ts'
import { type ChallengeFacts, challengeOf } from './challenge.ts'
import { TokenExpired, TokenMissing, TokenOrphaned } from './resource-errors.ts'

/** Answers a request that may not go on. */
export type RefuseRequest = (error: OAuthError, reply: FastifyReply, scopes: readonly string[]) => void

/** Answers as the RFCs have it: JSON with a challenge. @see RFC 6750 section 3.1 */
export function makeRefusal(facts: ChallengeFacts): RefuseRequest {
  return (error, reply, scopes) => {
    void reply
      .code(error.statusCode)
      .headers({ ...error.headers, 'cache-control': 'no-store' })
      .header('www-authenticate', challengeOf(error, facts, scopes))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ error: error.error, error_description: error.message }))
  }
}

function sendText(reply: FastifyReply, status: number, text: string): void {
  void reply.code(status).type('text/plain; charset=utf-8').send(text)
}

function sendJson(reply: FastifyReply, error: string, description: string): void {
  const body = JSON.stringify({ error, error_description: description })
  void reply.code(403).type('application/json').send(body)
}

/** Answers as loopback-component-oauth2 did. LB3: pinned by the recorded pairs 36 to 54. */
export const refuseLikeLoopBack: RefuseRequest = (error, reply) => {
  if (error instanceof InsufficientScope) return sendJson(reply, 'insufficient_scope', 'Insufficient scope')
  if (error instanceof TokenExpired || error instanceof TokenOrphaned)
    return sendJson(reply, 'invalid_grant', error.message)
  if (error instanceof InvalidRequest) return sendText(reply, 400, 'Bad Request')
  const detail = error instanceof TokenMissing ? '' : ', error="invalid_token"'
  void reply.header('www-authenticate', `Bearer realm="Users"${detail}`)
  return sendText(reply, error.statusCode, 'Unauthorized')
}
