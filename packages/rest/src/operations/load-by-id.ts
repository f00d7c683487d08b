import { type Model, type ModelType, type OperationContext, repository } from '@modelwire/core'

/** Makes the function that loads the record which the path of an operation names. */
export function loadById(model: ModelType): (context: OperationContext) => Promise<Model | undefined> {
  return async ({ id, options }) => (await repository.findById(model, id, undefined, options)) ?? undefined
}
