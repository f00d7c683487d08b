import { ApiError } from '@modelwire/core'
import { SharedStateUnavailable } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, loopbackAnswers } from '../compat/loopback-answers.ts'
import type { OAuth2Rules } from '../compat/loopback-rules.ts'
import { InvalidRequest, OAuthError, ServerError, TooManyRequests } from '../errors.ts'
import { TemporarilyUnavailable } from './http-errors.ts'

/** Headers of every answer about tokens. @see RFC 6749 section 5.1 */
export const noStore: Readonly<Record<string, string>> = { 'cache-control': 'no-store', pragma: 'no-cache' }

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined

/** Any error as one of the protocol. What it was stays in the log: the answer names no detail of the server. */
export function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof SharedStateUnavailable)
    return new TemporarilyUnavailable('the server cannot answer at the moment: try again later', { cause: error })
  const status = statusOf(error)
  if (status === 429) return new TooManyRequests('too many requests: try again later', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500 && !(error instanceof ApiError))
    return new InvalidRequest('the request cannot be read', { cause: error })
  return new ServerError('the server failed to answer', { cause: error })
}

/** The body of an error. */
function bodyOf(error: OAuthError, { text, name, status = error.statusCode, error: code }: Answer): unknown {
  if (text !== undefined) return text
  const { message } = error
  if (name !== undefined)
    return { error: { statusCode: status, name, message, ...(code === undefined ? {} : { code }) } }
  return { error: code ?? error.error, error_description: describable(error.message) }
}

/** The signs that `error_description` may hold. @see RFC 6749 section 5.2 */
export function describable(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** Answers with an error, as in the standards or as LoopBack's component does. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  { answersAsOriginal }: Pick<OAuth2Rules, 'answersAsOriginal'>
): FastifyReply {
  const error = toOAuthError(thrown)
  if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error }, 'oauth2: a request failed')
  const answer: Answer = (answersAsOriginal ? loopbackAnswers.get(error.code) : undefined) ?? {}
  const body = bodyOf(error, answer)
  return reply
    .code(answer.status ?? error.statusCode)
    .headers({ ...noStore, ...(answer.headers ?? error.headers) })
    .type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    .send(body)
}
