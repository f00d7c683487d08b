import type { Principal } from '@modelwire/core'
import { type Call, type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import { isId, sameId } from '../identity/same-id.ts'
import { decidingKeys, decidingNames, type OwnerKey, type OwnershipOf } from './owner-keys.ts'
import { isUserModel, type UserModels } from './user-models.ts'

type Row = Readonly<Record<string, unknown>>

/** The record whose owner is checked. */
export interface OwnedRecord {
  readonly model: ModelType
  readonly id: unknown
  /** The record, where it is loaded already. */
  readonly record?: Row | undefined
  /** The token behind the call. LB3: observers find it in the options of the look-up. */
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
