import type { Call } from '../contract/call.ts'
import type { Condition } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import { TooManyAffected } from '../errors.ts'
import { collectionOf } from './identify.ts'

/**
 * Refuses a change of many that would reach more records than its caller allows. They are counted before: what others write at the
 * same time is seen where the call is part of a transaction that sees no such writes.
 * @throws {TooManyAffected} nothing is changed
 */
export async function checkAffected(model: ModelType, where: Condition | undefined, call: Call): Promise<void> {
  const { maxAffected } = call
  if (maxAffected === undefined) return
  const count = await collectionOf(model, 'count').count(where, call)
  if (count > maxAffected)
    throw new TooManyAffected(`${count} records of ${model.name} match, and at most ${maxAffected} may be affected`)
}
