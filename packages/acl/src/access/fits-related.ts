import { Model, type OperationContext, type Row } from '@modelwire/core'
import type { RowSet, RowsQuestion } from '../rows/row-set.ts'
import { admitsNew } from './narrow-rows.ts'

/** The record that a relation makes of data, with the keys and values that the relation sets. */
function built(parent: object | undefined, relation: string, data: Row): Model | undefined {
  const accessor: unknown = parent === undefined ? undefined : Reflect.get(parent, relation)
  const build: unknown = typeof accessor === 'function' ? Reflect.get(accessor, 'build') : undefined
  const record: unknown = typeof build === 'function' ? Reflect.apply(build, accessor, [data]) : undefined
  return record instanceof Model ? record : undefined
}

/**
 * Whether the records that a method of a relation would create belong to a set. None does where the relation is not one of the
 * record at hand: nobody knows what it will set.
 */
export async function fitsRelated(
  context: OperationContext,
  relation: string | undefined,
  rows: RowSet,
  question: RowsQuestion
): Promise<boolean> {
  if (relation === undefined) return false
  return admitsNew(context, rows, question, (data) => built(context.instance, relation, data))
}
