import { restrictionFor } from '../access/call.ts'
import { shortName } from '../definition/method-table.ts'
import type { ModelType, OptimisticLocking } from '../contract/model-type.ts'
import { InvalidArgument, PreconditionFailed, PreconditionRequired } from '../errors.ts'
import { isAbsentId, toId } from '../repository/records/identify.ts'
import { storedToWrite, withinVersion } from '../repository/records/rights.ts'
import { relatedIdOf } from './effect.ts'
import { namedRecordOf } from './named-record.ts'
import type { OperationContext } from './operation-context.ts'
import type { Operation } from './operation.ts'

/** A model whose records have versions. */
interface VersionedModel extends ModelType {
  readonly optimisticLocking: OptimisticLocking
}

const isVersioned = (model: ModelType | undefined): model is VersionedModel => model?.optimisticLocking !== undefined

/** What a client requires of the version of the record that it changes. */
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
 * Restricts a call to the version of the record that its client has seen, so that its statement either changes that or
 * nothing. Call it once access control has admitted the call. A missing record is left to the operation, unless that would
 * create it.
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
  if (isAbsentId(id)) throw new InvalidArgument('the path of a conditional request must contain the id of the record')
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
  new PreconditionRequired(`changing a ${name} by its id requires If-Match: send the ETag of the record`)

/** The model of the single record that an operation reads or writes, if its records have versions. */
export function versionedBy({ model, effect }: Operation): VersionedModel | undefined {
  const { subject, verb, relation } = effect
  if (subject !== 'record' || verb === 'call' || relation?.embeds === true) return undefined
  const target = relation === undefined ? model : relation.to
  return isVersioned(target) ? target : undefined
}
