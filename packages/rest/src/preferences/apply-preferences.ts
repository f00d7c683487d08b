import type { OperationContext } from '@modelwire/core'
import { changesMany, type Operation } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import type { ReadQuery } from '../input/read-query.ts'
import { preferencesOf } from './read-preferences.ts'
import type { RefuseUnknown } from './refuse-unknown.ts'

/** Applies what a client prefers of the handling of its request. */
export type ApplyPreferences = (request: FastifyRequest, context: OperationContext) => void

/**
 * Compiles what `Prefer: handling=strict` and `max-affected` do to calls of an operation.
 * @param refuse absent where strict handling is the rule: then it was done while the arguments were read
 */
export function compilePreferences(
  operation: Operation,
  readQuery: ReadQuery,
  refuse: RefuseUnknown | undefined
): ApplyPreferences {
  const isForMany = changesMany(operation.effect)
  return (request, context) => {
    const { handling, maxAffected } = preferencesOf(request, refuse === undefined)
    if (handling === 'strict') refuse?.(readQuery(request), context.args)
    if (isForMany) context.maxAffected = maxAffected
  }
}
