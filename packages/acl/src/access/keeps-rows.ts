import {
  type Awaitable,
  isPlainObject,
  type Operation,
  type OperationContext,
  repository,
  type Row
} from '@modelwire/core'
import type { RowRecord, RowSet, RowsQuestion } from '../rows/row-set.ts'
import { callRecordReader } from './model-id.ts'

/** Methods that write the record itself; those of relations write others. */
const writesRecord: ReadonlySet<string> = new Set([
  'prototype.patchAttributes',
  'patchOrCreate',
  'replaceById',
  'replaceOrCreate'
])

/** Whether a record stays in a set when some of its properties are written. */
export async function fitsPatched(
  rows: RowSet,
  question: RowsQuestion,
  { id, record }: RowRecord,
  data: Row
): Promise<boolean> {
  const before = record ?? (await repository.findById(question.model, id, undefined, {})) ?? {}
  return rows.fits(question, { id, record: { ...before, ...data } })
}

/** Says whether what a call writes leaves records in the set that it is kept to. */
export type KeepsRows = (context: OperationContext, rows: RowSet, question: RowsQuestion) => Awaitable<boolean>

/** Makes that function. Undefined for operations that write no record of the model. */
export function keepsRows(operation: Operation): KeepsRows | undefined {
  if (operation.name === 'updateAll')
    return ({ args: { data } }, rows, question) => !isPlainObject(data) || rows.outlasts(question, data)
  if (!writesRecord.has(operation.name)) return undefined
  const read = callRecordReader(operation)
  const replaces = operation.name.startsWith('replace')
  return (context, rows, question) => {
    const { data } = context.args
    if (!isPlainObject(data)) return true
    const { id, record } = read(context)
    return replaces ? rows.fits(question, { id, record: data }) : fitsPatched(rows, question, { id, record }, data)
  }
}
