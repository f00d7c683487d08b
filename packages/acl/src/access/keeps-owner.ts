import { isPlainObject, type Operation, type OperationContext, repository } from '@modelwire/core'
import { sameId } from '../identity/same-id.ts'
import type { IsOwner } from '../roles/is-owner.ts'
import { callRecordReader } from './model-id.ts'

/** The properties that a condition on owners is about. */
function propertiesIn(own: object): readonly string[] {
  return Object.entries(own).flatMap(([name, value]) =>
    Array.isArray(value) ? value.flatMap((part: unknown) => (isPlainObject(part) ? propertiesIn(part) : [])) : [name]
  )
}

/** Whether what is written to all of a caller's own records leaves them the caller's. */
export function leavesOwn({ args: { data }, principal }: OperationContext, own: object | undefined): boolean {
  if (own === undefined || !isPlainObject(data)) return true
  return propertiesIn(own).every((name) => data[name] === undefined || sameId(data[name], principal?.userId))
}

/** Methods that write the record itself; those of relations write others. */
const writesRecord: ReadonlySet<string> = new Set([
  'prototype.patchAttributes',
  'patchOrCreate',
  'replaceById',
  'replaceOrCreate'
])

/**
 * Makes the function that says whether a record that a call writes stays its caller's. Undefined for operations that write
 * none.
 */
export function keepsOwner(
  operation: Operation,
  isOwner: IsOwner
): ((context: OperationContext) => Promise<boolean>) | undefined {
  if (!writesRecord.has(operation.name)) return undefined
  const { model } = operation
  const read = callRecordReader(operation)
  const replaces = operation.name.startsWith('replace')
  return async (context) => {
    const { data } = context.args
    const { id, record } = read(context)
    if (!isPlainObject(data)) return true
    const before = replaces ? {} : (record ?? (await repository.findById(model, id, undefined, {})) ?? {})
    return isOwner({ model, id, record: { ...before, ...data } }, context.principal)
  }
}
