import type { ModelType } from '../contract/model-type.ts'
import type { Operation } from './operation.ts'

/** The model whose records an operation lists, page by page where a client wants that; undefined where it lists none. */
export function listedModel({ model, effect }: Operation): ModelType | undefined {
  const { verb, subject, condition, relation } = effect
  if (verb !== 'find' || subject !== 'set' || condition !== 'filter' || relation?.embeds === true) return undefined
  return relation === undefined ? model : relation.to
}
