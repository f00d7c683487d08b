import { InvalidArgument, type OperationContext } from '@modelwire/core'
import {
  applyPrecondition,
  type Awaitable,
  type Operation,
  type Precondition,
  takesPreconditions
} from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { nameVersion, readEntityTags } from './entity-tags.ts'

/** Narrows an admitted call to the version of the record that its request names. */
export type ApplyConditions = (request: FastifyRequest, context: OperationContext) => Awaitable<void>

function preconditionOf(operation: Operation, { headers }: FastifyRequest): Precondition | undefined {
  const match = readEntityTags('If-Match', headers['if-match'])
  const noneMatch = readEntityTags('If-None-Match', headers['if-none-match'])
  if (match === undefined && noneMatch === undefined) return undefined
  if (noneMatch !== undefined && operation.effect.verb === 'upsert')
    throw new InvalidArgument('If-None-Match: create the record by POST, which never changes one that exists')
  return {
    accepts: (version) =>
      (match === undefined || match.any || nameVersion(match.strong, version)) &&
      (noneMatch === undefined || !(noneMatch.any || nameVersion(noneMatch.all, version)))
  }
}

/**
 * The preconditions of an operation that changes one record; undefined for all others, and where records have no version.
 * What it gives throws `PreconditionFailed` (412) or, where the model demands `If-Match`, `PreconditionRequired` (428).
 */
export function compileConditions(operation: Operation): ApplyConditions | undefined {
  if (!takesPreconditions(operation)) return undefined
  return (request, context) => applyPrecondition(context, preconditionOf(operation, request))
}
