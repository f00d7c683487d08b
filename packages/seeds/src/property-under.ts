import type { ModelType, ResolvedRelation } from '@modelwire/core/plugin'

/** The relation whose key a seed sets under this name: its own name, or that of the property with the key. */
export function relationUnder(model: ModelType, name: string): ResolvedRelation | undefined {
  const relations = model.registry.relations.of(model)
  const named = relations.get(name)
  if (named?.holdsKey === 'one') return named
  return [...relations.values()].find(({ holdsKey, keyFrom }) => holdsKey !== undefined && keyFrom === name)
}

/** The property that a seed sets under this name. */
export function propertyUnder(model: ModelType, name: string): string {
  const relation = model.byName.has(name) ? undefined : relationUnder(model, name)
  return relation?.keyFrom ?? name
}
