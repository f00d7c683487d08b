import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthError } from '../errors.ts'
import { setBrowserHeaders } from './page-headers.ts'
import type { PageParts } from './page-parts.ts'

/** True for a browser that shows a page; programs get JSON. */
function wantsPage({ headers: { accept } }: FastifyRequest): boolean {
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
