import { type ModelType, type Principal, repository } from '@modelwire/core'
import { isId, sameId } from '../identity/same-id.ts'
import type { OwnerKey, Ownership, OwnershipOf } from './owner-keys.ts'
import { isUserModel, type UserModels } from './user-models.ts'

type Row = Readonly<Record<string, unknown>>

/** The record whose owner is asked for. */
export interface OwnedRecord {
  readonly model: ModelType
  readonly id: unknown
  /** The record, where it is loaded already. */
  readonly record?: Row | undefined
}

/** Tells the owners of records. */
export type IsOwner = (owned: OwnedRecord, principal: Principal | undefined) => Promise<boolean>

/** Makes the function that tells owners. */
export function makeIsOwner(users: UserModels, ownershipFor: OwnershipOf): IsOwner {
  return async ({ model, id, record }, principal) => {
    const { userId, userModel } = principal ?? {}
    if (userId === undefined || id === undefined || id === null) return false
    if (isUserModel(model, users) && (userModel === undefined || userModel === model.name)) return sameId(id, userId)
    const found = record ?? (await repository.findById(model, id, undefined, {}))
    return found !== null && ownsRecord(found, ownershipFor(model), principal ?? {}, users)
  }
}

async function ownsRecord(
  record: Row,
  ownership: Ownership,
  principal: Principal,
  users: UserModels
): Promise<boolean> {
  const { userModel } = principal
  const named = ownership.byName && userModel === undefined ? record['userId'] || record['owner'] : undefined
  if (named && typeof named !== 'function') return sameId(named, principal.userId)
  const keys = ownership.keys.filter((key) => userModel === undefined || key.userModel === userModel)
  for (const key of ownership.byName ? keys.slice(0, 1) : keys)
    if (await ownsByKey(record, key, principal, users)) return true
  return false
}

async function ownsByKey(
  record: Row,
  { property, primaryKey, userModel }: OwnerKey,
  principal: Principal,
  { registry }: UserModels
): Promise<boolean> {
  const value = record[property]
  // A structure would be a condition that finds somebody.
  if (primaryKey === undefined || !isId(value)) return sameId(value, principal.userId)
  const user = await repository.findOne(registry.typeOf(userModel), { where: { [primaryKey]: value } }, {})
  return user !== null && sameId(repository.idOf(registry.typeOf(userModel), user), principal.userId)
}
