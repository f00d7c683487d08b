import type { ModelType } from '@modelwire/core/plugin'

/**
 * True where access rules show, or let set, some properties of a model alone: the contents of an answer depend on the
 * caller.
 */
export function hasFieldRules({ definition, registry }: ModelType): boolean {
  return registry.accessControl !== undefined && (definition.acls ?? []).some(({ fields }) => fields !== undefined)
}
