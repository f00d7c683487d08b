import type { ModelType } from '@modelwire/core/plugin'

/** PUT replaces or patches, as the model or the version says. */
export function replacesOnPut(model: ModelType): boolean {
  return model.definition.replaceOnPUT ?? !model.registry.rules.patchesOnPUT
}
