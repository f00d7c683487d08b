import { isPlainObject, type Operation, type OperationContext, TrustedWhere } from '@modelwire/core'
import type { AccessParts } from './access-parts.ts'
import { callRecordReader } from './model-id.ts'

/** Arguments that hold a condition, or are one. */
export type ListArgument = 'filter' | 'where' | 'options'

type Where = Readonly<Record<string, unknown>>

/** Lists that a condition can narrow, with the argument that holds it. */
const lists: ReadonlyMap<string, ListArgument> = new Map<string, ListArgument>([
  ['find', 'filter'],
  ['createChangeStream', 'options'],
  ['findOne', 'filter'],
  ['count', 'where'],
  ['updateAll', 'where']
])

const both = (asked: unknown, own: TrustedWhere): object => ({ and: isPlainObject(asked) ? [asked, own] : [own] })

/**
 * Narrows the argument of a list to records that meet a condition, which may name what clients must not. False where there
 * are none.
 */
export function narrowToOwn(context: OperationContext, argument: ListArgument, own: Where | undefined): boolean {
  if (own === undefined) return false
  const added = new TrustedWhere(own)
  const { [argument]: asked } = context.args
  const filter = isPlainObject(asked) ? asked : {}
  const narrowed = argument === 'where' ? both(asked, added) : { ...filter, where: both(filter['where'], added) }
  context.args = { ...context.args, [argument]: narrowed }
  return true
}

/**
 * Makes the function that keeps a call to the caller's own records: a list is narrowed to them, and what works on one
 * record needs it to be the caller's. False when the call may not go on.
 */
export function compileOwnRows(
  operation: Operation,
  { isOwner, ownedBy }: Pick<AccessParts, 'isOwner' | 'ownedBy'>
): (context: OperationContext) => boolean | Promise<boolean> {
  const { model, name } = operation
  const argument = lists.get(name)
  const read = callRecordReader(operation)
  if (argument === undefined) return (context) => isOwner({ model, ...read(context) }, context.principal)
  return (context) => narrowToOwn(context, argument, ownedBy(model, context.principal))
}
