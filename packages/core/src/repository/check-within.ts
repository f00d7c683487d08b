import { conditionUnderScope } from '../filter/default-scope.ts'
import { conditionWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import { collectionOf, idOf, idPropertyOf, isAbsentId, onlyId, onlyIds, toId } from './identify.ts'

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

/**
 * The first of some records, which are of the model's scope, that a client may see; undefined where there are none.
 * @throws the restriction's error for denied records: there are none that it may see
 */
export async function firstWithin(
  model: ModelType,
  records: readonly ModelInstance[],
  restriction: Restriction | undefined
): Promise<ModelInstance | undefined> {
  if (restriction?.condition === undefined) return records[0]
  const where = conditionWithin(
    restriction,
    onlyIds(
      model,
      records.map((record) => idOf(model, record))
    )
  )
  const fields = new Set([idPropertyOf(model).name])
  const rows = records.length === 0 ? [] : await collectionOf(model, 'find').find({ where, order: [], skip: 0, fields })
  const seen = new Set(rows.map((row) => String(idOf(model, row))))
  const first = records.find((record) => seen.has(String(idOf(model, record))))
  if (first === undefined) throw restriction.deny()
  return first
}
