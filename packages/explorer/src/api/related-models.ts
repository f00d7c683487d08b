import type { ModelType } from '@modelwire/core/connector'

/** A relation, as documents see it. */
export interface RelatedModel {
  readonly name: string
  readonly target: ModelType
  readonly many: boolean
  /** A filter may include it. */
  readonly includable: boolean
}

/** The relations of a model that lead to one model. A polymorphic belongsTo leads to any. */
export function relatedModels({ relations, registry }: ModelType): RelatedModel[] {
  if (registry.includeLoader === undefined) return []
  return [...relations.values()].flatMap(({ name, to, many, settings }) =>
    to === undefined ? [] : [{ name, target: to, many, includable: !settings.disableInclude }]
  )
}

/** True if access rules show, or let set, only some properties of a model: the contents of a response depend on the caller. */
export function hasFieldRules({ definition, registry }: ModelType): boolean {
  return registry.accessControl !== undefined && (definition.acls ?? []).some(({ fields }) => fields !== undefined)
}
