import type { ModelType, Principal } from '@modelwire/core'
import type { OwnershipOf } from './owner-keys.ts'
import { isUserModel, type UserModels } from './user-models.ts'

type Where = Readonly<Record<string, unknown>>

/** The condition that the records of a caller meet; undefined where there are none. */
export type OwnedBy = (model: ModelType, principal: Principal | undefined) => Where | undefined

/** Makes the function that says by a condition what `$owner` says of one record. */
export function makeOwnedBy(users: UserModels, ownershipFor: OwnershipOf): OwnedBy {
  return (model, principal) => {
    const { userId, userModel } = principal ?? {}
    if (userId === undefined) return undefined
    if (isUserModel(model, users) && (userModel === undefined || userModel === model.name))
      return { [model.idProperty?.name ?? 'id']: userId }
    const { byName, keys } = ownershipFor(model)
    const direct = keys.filter((key) => key.primaryKey === undefined && (userModel ?? key.userModel) === key.userModel)
    const byKey = (byName ? direct.slice(0, 1) : direct).map(({ property }): Where => ({ [property]: userId }))
    const named = byName && userModel === undefined ? namesIn(model) : []
    return combine(named, byKey, userId)
  }
}

/** Properties that own by their name alone, in the order in which they are asked. */
const namesIn = ({ byName }: ModelType): string[] => ['userId', 'owner'].filter((name) => byName.has(name))

/** A name that is set decides before the next one, and all names before the keys. */
function combine(names: readonly string[], byKey: readonly Where[], userId: unknown): Where | undefined {
  const [name, ...others] = names
  if (name === undefined) return byKey.length === 0 ? undefined : { or: byKey }
  const rest = combine(others, byKey, userId)
  const own: Where = { [name]: userId }
  return rest === undefined ? own : { or: [own, { and: [{ [name]: null }, rest] }] }
}
