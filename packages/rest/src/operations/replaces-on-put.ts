import type { ModelType } from '@modelwire/core/plugin'

/** Whether PUT replaces or patches, by the model or the version. */
export function replacesOnPut(model: ModelType): boolean {
  return model.definition.replaceOnPUT ?? !model.registry.rules.patchesOnPUT
}
