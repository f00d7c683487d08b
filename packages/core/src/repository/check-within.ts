import { conditionUnderScope } from '../filter/default-scope.ts'
import { conditionWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import { collectionOf, isAbsentId, onlyId, toId } from './identify.ts'

/**
 * Refuses a record that a client may not see, in the same words as one that does not exist.
 * @param id as the client wrote it
 * @throws the restriction's error for denied records
 */
export async function checkWithin(model: ModelType, id: unknown, restriction: Restriction | undefined): Promise<void> {
  if (restriction?.condition === undefined) return
  const key = isAbsentId(id) ? undefined : toId(model, id)
  if (key === undefined) throw restriction.deny()
  const wanted = conditionUnderScope(model, onlyId(model, key))
  if ((await collectionOf(model, 'count').count(conditionWithin(restriction, wanted))) === 0) throw restriction.deny()
}
