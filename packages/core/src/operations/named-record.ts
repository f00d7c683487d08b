import type { Restriction } from '../contract/access-control.ts'
import type { ModelType } from '../contract/model-type.ts'
import { checkWithin } from '../repository/records/rights.ts'
import { idOf, isAbsentId } from '../repository/records/identify.ts'
import { isPlainObject } from '@modelwire/server'
import type { OperationContext } from './operation-context.ts'
import type { Operation } from './operation.ts'

/** A record that a call addresses. */
export interface NamedRecord {
  /** As given in the call, or in the loaded record. */
  readonly id: unknown
  /** The record, if it is loaded. */
  readonly record: Readonly<Record<string, unknown>> | undefined
}

const nothing: NamedRecord = { id: undefined, record: undefined }

const idIn = (record: NamedRecord['record'], model: ModelType): unknown => record && idOf(model, record)

/**
 * The record of the operation's own model that a call addresses: the instance it runs on, or the id in its path, or, for
 * upserts, in its body. An id anywhere else does not count: in LoopBack it let strangers pass as owners.
 */
export function namedRecordOf({ model, onInstance, effect }: Operation, context: OperationContext): NamedRecord {
  if (onInstance) {
    const record = context.instance as NamedRecord['record'] // a loaded record has its properties by name
    return { id: idIn(record, model) ?? context.id, record }
  }
  const { id, data } = context.args
  if (effect.idIn === 'path') return { id, record: undefined }
  if (effect.idIn !== 'body' || !isPlainObject(data)) return nothing
  return { id: idIn(data, model), record: undefined }
}

/**
 * Denies a call for a record that the client may not see, or that does not exist. One that may create a record need not
 * name any.
 * @throws the restriction's error for denied records
 */
export async function checkNamedRecord(
  operation: Operation,
  context: OperationContext,
  restriction: Restriction
): Promise<void> {
  const { model, onInstance, effect } = operation
  if (!onInstance && effect.idIn === undefined) return
  const { id } = namedRecordOf(operation, context)
  const createsOne = effect.idIn === 'body' && isAbsentId(id)
  if (!createsOne) await checkWithin(model, id, restriction)
}
