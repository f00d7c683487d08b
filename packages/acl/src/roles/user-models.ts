import type { ModelRegistry, ModelType } from '@modelwire/core'

/** Which models' records are users. */
export interface UserModels {
  readonly registry: ModelRegistry
  /** The model that all user models are or extend. */
  readonly root: string
}

/** True for the user model and those that extend it. */
export function isUserModel(model: ModelType, { root }: Pick<UserModels, 'root'>): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === root) return true
  return false
}
