import type { Principal } from '@modelwire/core'
import { type Call, repository, serverCall, type ResolvedRelation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isId, sameId } from '../identity/same-id.ts'
import { isUserModel, type UserModels } from './role-context.ts'

/** A property of records that names a user. */
export interface OwnerKey {
  readonly relation: string
  readonly property: string
  readonly userModel: string
  /** Property of the user that the key holds, if it is not the id. */
  readonly primaryKey: string | undefined
}

/** How the owner of a model's records is determined. */
export interface Ownership {
  /**
   * Properties that determine the owner by name: only the first one that is set counts, or the first of `keys` if none is.
   * Empty: each of `keys` determines an owner.
   */
  readonly names: readonly string[]
  readonly keys: readonly OwnerKey[]
}

/** Returns how records of a model are owned. */
export type OwnershipOf = (model: ModelType) => Ownership

/** The property names that identify a user as owner; empty if there are several user models. */
export const decidingNames = ({ names }: Ownership, userModel: string | undefined): readonly string[] =>
  userModel === undefined ? names : []

type Row = Readonly<Record<string, unknown>>

/** The record whose owner is checked. */
export interface OwnedRecord {
  readonly model: ModelType
  readonly id: unknown
  /** The record, if it is already loaded. */
  readonly record?: Row | undefined
  /** The token of the call. LB3: observers find it in the options of the look-up. */
  readonly accessToken?: unknown
}

/** Whether a principal owns a record. */
export type IsOwner = (owned: OwnedRecord, principal: Principal | undefined) => Promise<boolean>

/** Whether a principal owns a record by its own properties, stored or not. */
export type OwnsRecord = (model: ModelType, record: Row, principal: Principal | undefined) => Promise<boolean>

/** Makes the ownership test for records in memory. */
export function makeOwnsRecord(users: UserModels, ownershipFor: OwnershipOf): OwnsRecord {
  return async (model, record, principal) => {
    const { userId, userModel } = principal ?? {}
    if (userId === undefined) return false
    if (isUserModel(model, users) && (userModel === undefined || userModel === model.name))
      return sameId(repository.idOf(model, record), userId)
    const ownership = ownershipFor(model)
    for (const name of decidingNames(ownership, userModel)) {
      const { [name]: value } = record
      if (value && typeof value !== 'function') return sameId(value, userId)
    }
    for (const key of decidingKeys(ownership, userModel)) if (await ownsByKey(record, key, userId, users)) return true
    return false
  }
}

const lookUpBy = (accessToken: unknown): Call =>
  accessToken === undefined || accessToken === null ? serverCall() : { options: { accessToken } }

/** Makes the ownership test for stored records. */
export function makeIsOwner(users: UserModels, ownsRecord: OwnsRecord): IsOwner {
  return async ({ model, id, record, accessToken }, principal) => {
    const { userId, userModel } = principal ?? {}
    if (userId === undefined || id === undefined || id === null) return false
    if (isUserModel(model, users) && (userModel === undefined || userModel === model.name)) return sameId(id, userId)
    const found = record ?? (await repository.findById(model, id, undefined, lookUpBy(accessToken)))
    return found !== null && ownsRecord(model, found, principal)
  }
}

async function ownsByKey(
  record: Row,
  { property, primaryKey, userModel }: OwnerKey,
  userId: unknown,
  { registry }: UserModels
): Promise<boolean> {
  const value = record[property]
  // An object would be a condition that could match a user.
  if (primaryKey === undefined || !isId(value)) return sameId(value, userId)
  const users = registry.typeOf(userModel)
  const user = await repository.findOne(users, { where: { [primaryKey]: value } }, serverCall())
  return user !== null && sameId(repository.idOf(users, user), userId)
}

/** Makes the function that determines how records of a model are owned, cached per model. */
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

/** The keys that identify a user as owner if no property does so by name. */
export function decidingKeys({ names, keys }: Ownership, userModel: string | undefined): readonly OwnerKey[] {
  const own = keys.filter((key) => userModel === undefined || key.userModel === userModel)
  return names.length === 0 ? own : own.slice(0, 1)
}
