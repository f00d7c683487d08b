import {
  andThen,
  type Awaitable,
  isPlainObject,
  type Operation,
  type OperationContext,
  type Row,
  TrustedWhere
} from '@modelwire/core'
import type { RowSet, RowsQuestion, Where } from '../rows/row-set.ts'
import { callRecordReader } from './model-id.ts'

/** Arguments that hold a condition, or are one. */
export type ListArgument = 'filter' | 'where' | 'options'

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
export function narrowTo(context: OperationContext, argument: ListArgument, where: Where | undefined): boolean {
  if (where === undefined) return false
  const added = new TrustedWhere(where)
  const { [argument]: asked } = context.args
  const filter = isPlainObject(asked) ? asked : {}
  const narrowed = argument === 'where' ? both(asked, added) : { ...filter, where: both(filter['where'], added) }
  context.args = { ...context.args, [argument]: narrowed }
  return true
}

/**
 * Whether all records that a call would create belong to a set.
 * @param make the record that comes of data; undefined where nobody knows
 */
export async function admitsNew(
  { args: { data } }: OperationContext,
  rows: RowSet,
  question: RowsQuestion,
  make: (data: Row) => Row | undefined = (given) => given
): Promise<boolean> {
  const given: readonly unknown[] = Array.isArray(data) ? data : [data ?? {}]
  const fit = await Promise.all(
    given.map(async (item) => {
      const record = isPlainObject(item) ? make(item) : undefined
      return record !== undefined && rows.fits(question, { id: undefined, record })
    })
  )
  return fit.length > 0 && fit.every(Boolean)
}

/** Keeps a call to some records. False when it may not go on. */
export type KeepsToRows = (context: OperationContext, rows: RowSet, question: RowsQuestion) => Awaitable<boolean>

/**
 * Makes the function that keeps a call to the records of a set: a list is narrowed to them, what works on one record needs it
 * to be among them, and what creates records may create such alone.
 */
export function compileNarrowing(operation: Operation): KeepsToRows {
  const argument = lists.get(operation.name)
  if (operation.name === 'create') return (context, rows, question) => admitsNew(context, rows, question)
  if (argument !== undefined)
    return (context, rows, question) => andThen(rows.where(question), (where) => narrowTo(context, argument, where))
  const read = callRecordReader(operation)
  return async (context, rows, question) => (await rows.among(question, [read(context)]))[0] === true
}
