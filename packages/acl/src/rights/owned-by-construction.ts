import type { AccessQuestion, KeyedRecords } from '@modelwire/core/plugin'
import { sameId } from '../identity/same-id.ts'
import { decidingKeys, decidingNames, type OwnershipOf } from '../roles/owner-keys.ts'

type ClientQuestion = Pick<AccessQuestion, 'model' | 'client'>

/** True where records may be owned by a user because they hold the user's id in this property. */
export function ownsByProperty({ model, client }: ClientQuestion, property: string, ownershipOf: OwnershipOf): boolean {
  const { principal } = client
  if (principal?.userId === undefined) return false
  const ownership = ownershipOf(model)
  if (decidingNames(ownership, principal.userModel).includes(property)) return true
  return decidingKeys(ownership, principal.userModel).some((key) => key.property === property && !key.primaryKey)
}

/** True where records that hold these keys are a client's own as far as these keys decide: those of the client's own account. */
export function areOfClient(
  question: ClientQuestion,
  { property, values }: KeyedRecords,
  ownershipOf: OwnershipOf
): boolean {
  const userId = question.client.principal?.userId
  return ownsByProperty(question, property, ownershipOf) && values.every((value) => sameId(value, userId))
}
