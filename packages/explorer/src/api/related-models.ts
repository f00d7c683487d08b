import { isPlainObject, type ModelType } from '@modelwire/core'

/** A relation as documents see it. */
export interface RelatedModel {
  readonly name: string
  readonly target: ModelType
  readonly many: boolean
  /** A filter may include it. */
  readonly includable: boolean
}

function isIncludable(model: ModelType, name: string): boolean {
  const options = model.definition.relations?.[name]?.options
  return !(isPlainObject(options) && options['disableInclude'] === true)
}

/** The relations of a model that lead to one model, as its operations tell them. */
export function relatedModels(model: ModelType): RelatedModel[] {
  const { registry } = model
  const operations = registry.operationSources.flatMap((source) => source(model))
  return operations.flatMap(({ relatedBy, returns }) => {
    if (relatedBy?.method !== 'get' || relatedBy.type === 'scope' || relatedBy.through !== undefined) return []
    const type = returns[0]?.type
    const many = type?.kind === 'array'
    const one = many ? type.items : type
    const target = one?.kind === 'model' ? registry.find(one.model) : undefined
    // A polymorphic belongsTo leads to any model.
    if (target === undefined || target.name === 'PersistedModel') return []
    return [{ name: relatedBy.name, target, many, includable: isIncludable(model, relatedBy.name) }]
  })
}
