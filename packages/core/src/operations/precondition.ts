import { restrictionFor } from '../access/restriction-for.ts'
import { shortName } from '../definition/method-name.ts'
import type { ModelType } from '../contract/model-type.ts'
import { InvalidArgument, PreconditionFailed, PreconditionRequired } from '../errors.ts'
import { isAbsentId, toId } from '../repository/identify.ts'
import { withinVersion } from '../repository/version-within.ts'
import { storedToWrite } from '../repository/write-within.ts'
import { relatedIdOf } from './effect.ts'
import { namedRecordOf } from './named-record.ts'
import type { OperationContext } from './operation-context.ts'
import type { Operation } from './operation.ts'
import { versionedBy } from './versioned-by.ts'

/** What a client demands of the version of the record that it changes. */
export interface Precondition {
  readonly accepts: (version: unknown) => boolean
}

const changing: ReadonlySet<string> = new Set(['patch', 'replace', 'upsert', 'delete'])

/** True for an operation that changes one stored record, which may have versions. */
export const takesPreconditions = (operation: Operation): boolean =>
  changing.has(operation.effect.verb) && versionedBy(operation) !== undefined

function idOfSubject(context: OperationContext): unknown {
  const { operation } = context
  return operation.effect.relation === undefined ? namedRecordOf(operation, context).id : relatedIdOf(context)
}

/**
 * Narrows what a call may change to the version of the record that its client has seen, so that its statement changes that or nothing.
 * Call it once access control has admitted the call. A missing record is left to the operation, unless that would create it.
 * @param precondition undefined: the client demands nothing
 * @throws {PreconditionFailed} the record has another version, or is missing where the operation would create it
 * @throws {PreconditionRequired} the model demands a precondition, and there is none
 * @throws {InvalidArgument} the call does not name the record by its id
 * @throws the restriction's error for a record that the client may not change
 */
export async function applyPrecondition(
  context: OperationContext,
  precondition: Precondition | undefined
): Promise<void> {
  const { operation } = context
  const model = versionedBy(operation)
  if (model === undefined) return
  const id = idOfSubject(context)
  const creates = operation.effect.verb === 'upsert'
  if (isAbsentId(id) && creates) return
  if (precondition === undefined) {
    if (model.optimisticLocking.requireIfMatch) throw required(model)
    return
  }
  if (isAbsentId(id)) throw new InvalidArgument('the path of a conditional request must name the record by its id')
  const key = toId(model, id)
  const restriction = await restrictionFor(model, context, shortName(operation.name))
  const row = key === undefined ? undefined : await storedToWrite(model, key, { call: context, restriction })
  if (row === undefined && !creates) return
  const version = row?.[model.optimisticLocking.property]
  if (row === undefined || !precondition.accepts(version))
    throw new PreconditionFailed(`the ${model.name} does not have this version`)
  context.grant = { model, restriction: withinVersion(model, model.optimisticLocking, version, restriction) }
}

const required = ({ name }: ModelType): PreconditionRequired =>
  new PreconditionRequired(`a ${name} is changed by its id with If-Match: send the ETag that it was read with`)
