import { methodString } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import type { ErrorAnswer } from './error-body.ts'
import { textOf } from './write-any-json.ts'

/**
 * Logs an error with the request's logger: one of the server with everything it has, one of the client in a line
 * without a stack. Both name the method that was called, where the request reached one.
 */
export function logError(thrown: unknown, { statusCode }: ErrorAnswer, request: FastifyRequest): void {
  const method = methodOf(request)
  if (statusCode >= 500) request.log.error({ err: thrown, statusCode, method }, 'the request failed')
  else request.log.info({ statusCode, method, reason: reasonOf(thrown) }, 'the request was refused')
}

/** `Product.find`; undefined, which the log leaves out, for a path without a method. */
function methodOf({ routeOptions }: FastifyRequest): string | undefined {
  const operation = routeOptions?.config?.operation
  return operation === undefined ? undefined : methodString(operation)
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? `${textOf(thrown.name)}: ${textOf(thrown.message)}` : textOf(thrown)
}
