import { isPlainObject, type ModelType, type Operation, type OperationContext } from '@modelwire/core'

/** Methods that name their record in the body. */
const namesRecordInBody: ReadonlySet<string> = new Set(['patchOrCreate', 'replaceOrCreate'])

/** The record that a call is about, as access rules see it. */
export interface CallRecord {
  readonly id: unknown
  readonly record: Readonly<Record<string, unknown>> | undefined
}

const nothing: CallRecord = { id: undefined, record: undefined }

/** Reads from calls of an operation which record they are about. */
export type ReadCallRecord = (context: OperationContext) => CallRecord

/**
 * Makes the function that finds the record of a call: the instance it runs on, or the id in its path, or, for upserts, in
 * its body. An id anywhere else says nothing: in LoopBack it made owners of strangers.
 */
export function callRecordReader({ model, name, onInstance, accepts, endpoints }: Operation): ReadCallRecord {
  if (onInstance) return ({ instance, id }) => ({ id: idIn(instance, model) ?? id, record: asRecord(instance) })
  if (namesRecordInBody.has(name)) {
    const idName = model.idProperty?.name ?? 'id'
    return ({ args: { data } }) => (isPlainObject(data) ? { id: data[idName], record: undefined } : nothing)
  }
  const hasPathId = accepts.some(({ isId }) => isId) || endpoints.some(({ path }) => /\/:id(\/|$)/.test(path))
  return hasPathId ? ({ args }) => ({ id: args['id'], record: undefined }) : () => nothing
}

function asRecord(instance: object | undefined): CallRecord['record'] {
  return instance as CallRecord['record'] // a loaded record has its properties by name
}

function idIn(instance: object | undefined, { idProperty }: ModelType): unknown {
  return idProperty && asRecord(instance)?.[idProperty.name]
}
