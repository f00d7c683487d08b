import type { OperationContext } from '@modelwire/core'
import {
  type ModelType,
  type Operation,
  repository,
  type Restriction,
  restrictionFor,
  serverCall,
  shortName,
  TrustedWhere
} from '@modelwire/core/plugin'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Ids of the same record compare as texts: a function may answer `"1"` for 1. */
const idOf = (model: ModelType, record: unknown): string | undefined => {
  const id: unknown = isObject(record) ? Reflect.get(record, model.idProperty?.name ?? 'id') : undefined
  return id === undefined || id === null || id === '' ? undefined : String(id)
}

/** The ids among these whose stored records the client may see. */
async function idsWithin(
  model: ModelType,
  records: readonly unknown[],
  restriction: Restriction
): Promise<ReadonlySet<string | undefined>> {
  const idName = model.idProperty?.name ?? 'id'
  const ids = [...new Set(records.flatMap((record) => idOf(model, record) ?? []))]
  const own = await restriction.asWhere()
  const within = own === undefined ? [] : [new TrustedWhere(own)]
  const filter = { where: { and: [{ [idName]: { inq: ids } }, ...within] }, fields: [idName] }
  const found = ids.length === 0 ? [] : await repository.find(model, filter, serverCall())
  return new Set(found.map((record) => idOf(model, record)))
}

/**
 * What a function of the application that stands in for a reading operation answers, without records that the client
 * may not see. The stored records decide, by their ids: the function may have ignored the condition it was called with,
 * and may return anything about their owners. A record without an id is left out.
 * @throws the restriction's error for denied records, where one record is the answer
 */
export async function answerWithin(
  model: ModelType,
  operation: Operation,
  context: OperationContext,
  answer: unknown
): Promise<unknown> {
  if (context.client === undefined || operation.effect.verb !== 'find' || !isObject(answer)) return answer
  const restriction = await restrictionFor(model, context, shortName(operation.name))
  if (restriction?.condition === undefined) return answer
  const records: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  const visible = await idsWithin(model, records, restriction)
  const kept = records.filter((record) => visible.has(idOf(model, record) ?? ''))
  if (Array.isArray(answer)) return kept
  if (kept.length === 0) throw restriction.deny()
  return answer
}
