import type { ModelRegistry } from '@modelwire/core'
import { isOfModel, type ModelType } from '@modelwire/core/plugin'

/** Which models' records are users. */
export interface UserModels {
  readonly registry: ModelRegistry
  /** The model that all user models are or extend. */
  readonly root: string
}

/** True for the user model and those that extend it. */
export function isUserModel(model: ModelType, { root }: Pick<UserModels, 'root'>): boolean {
  return isOfModel(model, root)
}
