import type { Model } from '@modelwire/core'
import { findModel, InvalidRelation, type ResolvedRelation } from '@modelwire/core/plugin'
import { isComposite, type ModelType } from '@modelwire/core/connector'

/** The related model. @throws {InvalidRelation} each record has its own */
export function targetOf({ to, from, name }: ResolvedRelation): ModelType {
  if (to !== undefined) return to
  throw new InvalidRelation('each record may have a different related model', {
    model: from.name,
    key: `relations.${name}`
  })
}

/**
 * The through model.
 * @throws {InvalidRelation} there is none
 */
export function throughOf({ through, from, name }: ResolvedRelation): NonNullable<ResolvedRelation['through']> {
  if (through !== undefined) return through
  throw new InvalidRelation('no model joins both sides', { model: from.name, key: `relations.${name}.through` })
}

/** True for a related model whose id consists of several properties, where a polymorphic key refers to none but parts of it. */
export const lacksKey = ({ to, keyTo }: ResolvedRelation, model: ModelType): boolean =>
  to === undefined && isComposite(model) && (!model.byName.has(keyTo) || model.keyNames.includes(keyTo))

/**
 * The property of a related model that the relation's key refers to: each model of a polymorphic `belongsTo` has its own
 * id, unless the definition names another property.
 * @throws {InvalidRelation} the id consists of several properties, and none is named
 */
export function keyOfTarget(relation: ResolvedRelation, model: ModelType): string {
  const { to, from, name, keyTo } = relation
  if (lacksKey(relation, model))
    throw new InvalidRelation(
      `the id of ${model.name} consists of ${model.keyNames.join(' and ')}, which no single key can refer to: name a property of ${model.name} as "primaryKey"`,
      { model: from.name, key: `relations.${name}` }
    )
  return to !== undefined || model.byName.has(keyTo) ? keyTo : (model.idProperty?.name ?? keyTo)
}

/** The related model of a record; undefined if its discriminator names none. */
export function modelOfParent({ to, from, discriminator }: ResolvedRelation, parent: Model): ModelType | undefined {
  if (to !== undefined) return to
  const name = parent[discriminator?.property ?? '']
  return typeof name === 'string' ? findModel(from.registry, name) : undefined
}
