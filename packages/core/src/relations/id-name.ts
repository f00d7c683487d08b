import type { ModelType } from '../contract/model-type.ts'

/** The name of a model's id; `id` where it has none. */
export function idNameOf(model: ModelType): string {
  return model.idProperty?.name ?? 'id'
}
