import { AuthorizationRequired } from '@modelwire/acl'
import type { FastifyRequest } from 'fastify'

/** True when a segment of the path is the literal. */
function names({ raw: { url = '' } }: FastifyRequest, literal: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path.split('/').includes(literal)
}

/**
 * Puts the caller's id in place of the literal in the path.
 * @throws {AuthorizationRequired} the caller is anonymous, so the literal has no value
 * @see LoopBack 3: loopback, server/middleware/token.js, rewriteUserLiteral
 */
export function replaceLiteral(request: FastifyRequest, literal: string): void {
  if (!names(request, literal)) return
  const { principal, params } = request
  if (principal === null) throw new AuthorizationRequired('Authorization Required')
  if (principal.userId === undefined || typeof params !== 'object' || params === null) return
  const values = params as Record<string, unknown> // parameters by name
  for (const [name, value] of Object.entries(values)) if (value === literal) values[name] = String(principal.userId)
}
