import type { FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, ServerError, TooManyRequests } from '../errors.ts'
import { setBrowserHeaders } from './page-headers.ts'
import type { PageParts } from './page-parts.ts'

/** True for a browser that shows a page; programs get JSON. */
export function wantsPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.toLowerCase().includes('text/html') ?? false
}

/** Answers an error of the protocol: a page for browsers, JSON for programs. */
export function showError(
  { show }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, message, statusCode, headers }: OAuthError
): FastifyReply {
  void reply.code(statusCode).headers(headers)
  if (wantsPage(request)) return show(reply, 'error', { error, description: message, requestId: request.id })
  return setBrowserHeaders(reply).send({ error, error_description: message })
}

const statusOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : undefined

/** The error of the protocol that an answer tells of: an unexpected one is told to the log alone. */
export function toOAuthError(thrown: unknown, request: FastifyRequest): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  if (statusOf(thrown) === 429) return new TooManyRequests('Too many attempts. Wait a minute and try again.')
  request.log.error({ err: thrown }, 'a page of oauth2 failed')
  return new ServerError('The server cannot answer this now. Try again later.', { cause: thrown })
}
