import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerParts } from '../server-parts.ts'
import { sendError, toOAuthError } from './send-error.ts'

/** Answers a browser with an error: a page, or what LoopBack's component answers. */
export async function showError(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown
): Promise<FastifyReply> {
  const error = toOAuthError(thrown)
  const { rules } = parts.settings
  if (rules.showsErrorsAsJson) return sendError(request, reply, error, rules)
  if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error }, 'oauth2: a request failed')
  return parts.interaction.showError(request, reply, error)
}
