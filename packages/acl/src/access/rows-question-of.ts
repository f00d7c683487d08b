import { type ModelType, type OperationContext, originOf } from '@modelwire/core'
import type { RowsQuestion } from '../rows/row-set.ts'

/** What a call asks of the records that its rule is about. @param method without `prototype.` */
export function rowsQuestionOf(context: OperationContext, model: ModelType, method: string): RowsQuestion {
  const { principal, options } = context
  return { model, principal, accessToken: options['accessToken'], method, request: originOf(options) ?? context }
}
