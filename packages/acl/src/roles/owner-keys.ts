import type { ModelType, ResolvedRelation } from '@modelwire/core/plugin'
import { isUserModel, type UserModels } from './user-models.ts'

/** A property of records that names a user. */
export interface OwnerKey {
  readonly relation: string
  readonly property: string
  readonly userModel: string
  /** Property of the user that the key holds, where it is not the id. */
  readonly primaryKey: string | undefined
}

/** How the owner of a model's records is found. */
export interface Ownership {
  /**
   * Properties that own by their name: the first one that is set decides alone, and the first of `keys` where none is. Empty: each of
   * `keys` makes an owner.
   */
  readonly names: readonly string[]
  readonly keys: readonly OwnerKey[]
}

/** How records of a model are owned. */
export type OwnershipOf = (model: ModelType) => Ownership

/** Makes the function that determines how records of a model are owned, once per model. */
export function makeOwnerships(users: UserModels): OwnershipOf {
  const ownerships = new Map<ModelType, Ownership>()
  return (model) => {
    const ownership = ownerships.get(model) ?? ownershipOf(model, users)
    ownerships.set(model, ownership)
    return ownership
  }
}

/**
 * Finds out how records of a model are owned.
 * @see LoopBack 3: loopback, common/models/role.js, isOwner
 */
function ownershipOf(model: ModelType, users: UserModels): Ownership {
  const { ownerRelations } = model.definition
  const keys = Array.from(model.relations.values()).flatMap((relation) => ownerKey(relation, users) ?? [])
  const chosen = Array.isArray(ownerRelations) ? keys.filter(({ relation }) => ownerRelations.includes(relation)) : keys
  return { names: ownerRelations ? [] : ['userId', 'owner'], keys: chosen }
}

function ownerKey({ name, holdsKey, to, keyFrom, keyTo }: ResolvedRelation, users: UserModels): OwnerKey | undefined {
  if (holdsKey !== 'one' || to === undefined || !isUserModel(to, users)) return undefined
  const primaryKey = keyTo === to.idProperty?.name ? undefined : keyTo
  return { relation: name, property: keyFrom, userModel: to.name, primaryKey }
}

/** The keys that make an owner of a user where no property by name decides. */
export function decidingKeys({ names, keys }: Ownership, userModel: string | undefined): readonly OwnerKey[] {
  const own = keys.filter((key) => userModel === undefined || key.userModel === userModel)
  return names.length === 0 ? own : own.slice(0, 1)
}

/** The property names that decide for a user: those of users of several models do not. */
export const decidingNames = ({ names }: Ownership, userModel: string | undefined): readonly string[] =>
  userModel === undefined ? names : []
