import type { ModelType, RelationDefinition } from '@modelwire/core'
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
   * The properties `userId` and `owner` decide alone where one of them is set, and else the first of `keys`. Where it is false,
   * each of `keys` makes an owner.
   */
  readonly byName: boolean
  readonly keys: readonly OwnerKey[]
}

/** Tells how records of a model are owned. */
export type OwnershipOf = (model: ModelType) => Ownership

/** Makes the function that tells how records of a model are owned; what it finds out of a model it finds out once. */
export function makeOwnerships(users: UserModels): OwnershipOf {
  const known = new Map<ModelType, Ownership>()
  return (model) => {
    const ownership = known.get(model) ?? ownershipOf(model, users)
    known.set(model, ownership)
    return ownership
  }
}

/**
 * Finds out how records of a model are owned.
 * @see LoopBack 3: loopback, common/models/role.js, isOwner
 */
function ownershipOf(model: ModelType, users: UserModels): Ownership {
  const { ownerRelations, relations = {} } = model.definition
  const isChosen = Boolean(ownerRelations)
  const keys = Object.entries(relations).flatMap(([name, relation]) => ownerKey(name, relation, users) ?? [])
  const chosen = Array.isArray(ownerRelations) ? keys.filter(({ relation }) => ownerRelations.includes(relation)) : keys
  return { byName: !isChosen, keys: chosen }
}

function ownerKey(name: string, relation: RelationDefinition, users: UserModels): OwnerKey | undefined {
  const { type, model, foreignKey, primaryKey, polymorphic } = relation
  if (type !== 'belongsTo' || polymorphic || model === undefined) return undefined
  const target = users.registry.find(model)
  if (target === undefined || !isUserModel(target, users)) return undefined
  return {
    relation: name,
    property: foreignKey ?? `${name}Id`,
    userModel: target.name,
    primaryKey: primaryKey === target.idProperty?.name ? undefined : primaryKey
  }
}
