import type { FastifyRequest } from 'fastify'
import type { ErrorAnswer } from './error-body.ts'
import { textOf } from './write-any-json.ts'

/**
 * Tells the request's log about an error: one of the server with everything it has, one of the client in a line without
 * a stack.
 */
export function logError(thrown: unknown, { statusCode }: ErrorAnswer, request: FastifyRequest): void {
  if (statusCode >= 500) request.log.error({ err: thrown, statusCode }, 'the request failed')
  else request.log.info({ statusCode, reason: reasonOf(thrown) }, 'the request was refused')
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? `${textOf(thrown.name)}: ${textOf(thrown.message)}` : textOf(thrown)
}
