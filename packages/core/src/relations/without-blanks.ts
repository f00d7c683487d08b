import type { RelationDefinition } from '../definition/relation-definition.ts'

/** A definition without its empty entries: LoopBack 3's generator writes `"foreignKey": ""` for a key it should choose. */
export function withoutBlanks(definition: RelationDefinition): RelationDefinition {
  const entries = Object.entries(definition).filter(([, value]) => value !== '')
  // The type is never empty: core checked it.
  return Object.fromEntries(entries) as RelationDefinition
}
