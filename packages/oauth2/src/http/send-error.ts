import { ApiError } from '@modelwire/core'
import { SharedStateUnavailable } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  InvalidRequest,
  MethodNotAllowed,
  OAuthError,
  ServerError,
  TemporarilyUnavailable,
  TooManyRequests
} from '../errors.ts'
import { type Answer, loopbackAnswers, type OAuth2Rules } from '../options/loopback-rules.ts'

/**
 * Headers of every response with tokens.
 * @see RFC 6749 section 5.1
 */
export const noStore: Readonly<Record<string, string>> = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** The HTTP status of an error; undefined if it has none. */
export const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined

/** Converts any error to a protocol error. The original is only logged: the response contains no internal details. */
export function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof SharedStateUnavailable)
    return new TemporarilyUnavailable('the server cannot answer at the moment: try again later', { cause: error })
  const status = statusOf(error)
  if (status === 429) return new TooManyRequests('too many requests: try again later', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500 && !(error instanceof ApiError))
    return new InvalidRequest('the request is malformed', { cause: error })
  return new ServerError('the server could not process the request', { cause: error })
}

/** The body of an error. */
function bodyOf(error: OAuthError, { text, name, status = error.statusCode, error: code }: Answer): unknown {
  if (text !== undefined) return text
  const { message } = error
  if (name !== undefined)
    return { error: { statusCode: status, name, message, ...(code === undefined ? {} : { code }) } }
  return { error: code ?? error.error, error_description: describable(error.message) }
}

/**
 * Replaces characters that `error_description` may not contain.
 * @see RFC 6749 section 5.2
 */
export function describable(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** Sends an error, as in the standards or as LoopBack's component does. */
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

/**
 * Refuses GET at the path of an endpoint that only accepts POST. Otherwise secrets sent in the query by mistake would
 * appear in the log and in the 404 response.
 */
export function refuseGet(scope: FastifyInstance, path: string): void {
  scope.get(path, { exposeHeadRoute: false }, () =>
    Promise.reject(new MethodNotAllowed('the method must be POST', { headers: { allow: 'POST' } }))
  )
}
