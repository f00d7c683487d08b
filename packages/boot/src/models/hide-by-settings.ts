import type { ModelRegistry } from '@modelwire/core'
import { settingsOf } from './free-keys.ts'
import { namesIn } from './read-definition.ts'

/**
 * Hides and protects properties by `Model.settings` after the scripts have run: they may add to those of files.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model.js, isHiddenProperty
 */
export function hideBySettings(registry: ModelRegistry): void {
  for (const name of registry.names()) {
    const model = registry.typeOf(name)
    const {
      hidden,
      protected: shielded,
      hiddenProperties,
      protectedProperties
    }: Record<string, unknown> = settingsOf(model)
    for (const property of namesIn(hiddenProperties || hidden) ?? []) model.hidden.add(property)
    for (const property of namesIn(protectedProperties || shielded) ?? []) model.protected.add(property)
  }
}
