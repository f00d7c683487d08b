import type { ModelType } from './contract/model-type.ts'
import { UnknownModel } from './definition/errors.ts'
import { ModelRegistry } from './registry.ts'

/**
 * The registry of a model with what only `ModelRegistry` has, such as hooks, guards and sources of operations.
 * @throws {UnknownModel} the model belongs to a registry of another copy of this package
 */
export function registryOf({ registry, name }: Pick<ModelType, 'registry' | 'name'>): ModelRegistry {
  if (registry instanceof ModelRegistry) return registry
  throw new UnknownModel('the model belongs to a registry of another copy of @modelwire/core', { model: name })
}
