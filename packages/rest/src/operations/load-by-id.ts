import type { Model, OperationContext } from '@modelwire/core'
import { asServer, type ModelType, repository } from '@modelwire/core/plugin'

/**
 * Makes the function that loads the record which the path of an operation names. It is loaded the caller: guards look
 * at it before anything is shown or changed.
 */
export function loadById(model: ModelType): (context: OperationContext) => Promise<Model | undefined> {
  return async (context) => (await repository.findById(model, context.id, undefined, asServer(context))) ?? undefined
}
