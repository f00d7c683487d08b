import type { RelationDefinition } from '../../definition/relation-definition.ts'
import type { ModelRegistry } from '../../registry.ts'
import type { ModelType } from '../model-type.ts'
import { findModel, modelNameOf } from './find-target.ts'

/** A relation as it is declared. */
export interface DeclaredRelation {
  readonly model: ModelType
  readonly name: string
  readonly definition: RelationDefinition
}

/** The place of the last model that the relation names; its own model's when it names no later one. */
function placeOf(
  registry: ModelRegistry,
  models: readonly ModelType[],
  { model, definition }: DeclaredRelation
): number {
  const named = [definition.model, definition.through].map((written) => {
    const name = modelNameOf(written)
    const found = name === undefined ? undefined : findModel(registry, name)
    return found === undefined ? -1 : models.indexOf(found)
  })
  return Math.max(models.indexOf(model), ...named)
}

/**
 * The relations of all models, each at the place of the last model that it names; a model's own come before those of earlier
 * models that waited for it.
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, defineRelations
 */
export function inOrderOfModels(registry: ModelRegistry, models: readonly ModelType[]): readonly DeclaredRelation[] {
  const declared = models.flatMap((model) =>
    Object.entries(model.definition.relations ?? {}).map(([name, definition]) => ({ model, name, definition }))
  )
  const placed = declared.map((relation) => ({ relation, place: placeOf(registry, models, relation) }))
  return models.flatMap((model, at) => {
    const ready = placed.filter(({ place }) => place === at).map(({ relation }) => relation)
    const own = ready.filter((relation) => relation.model === model)
    return [...own, ...ready.filter((relation) => relation.model !== model)]
  })
}
