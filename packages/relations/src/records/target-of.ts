import type { Model } from '@modelwire/core'
import { findModel, InvalidRelation, type ResolvedRelation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

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

/**
 * The property of a related model that the relation's key refers to: each model of a polymorphic `belongsTo` has its own
 * id, unless the definition names another property.
 */
export const keyOfTarget = ({ to, keyTo }: ResolvedRelation, { byName, idProperty }: ModelType): string =>
  to !== undefined || byName.has(keyTo) ? keyTo : (idProperty?.name ?? keyTo)

/** The related model of a record; undefined if its discriminator names none. */
export function modelOfParent({ to, from, discriminator }: ResolvedRelation, parent: Model): ModelType | undefined {
  if (to !== undefined) return to
  const name = parent[discriminator?.property ?? '']
  return typeof name === 'string' ? findModel(from.registry, name) : undefined
}
