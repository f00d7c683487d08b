import type { ModelType } from '@modelwire/core/plugin'

/** A relation as documents see it. */
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
