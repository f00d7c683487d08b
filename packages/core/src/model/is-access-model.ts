import type { ModelType } from '../contract/model-type.ts'
import { lineageOf } from './model-lineage.ts'

/** True for a model whose records decide who may do what, as tokens and roles do, and for those that extend one. */
export function isAccessModel(model: ModelType): boolean {
  const { accessModels } = model.registry
  return lineageOf(model).some(({ name }) => accessModels.has(name))
}
