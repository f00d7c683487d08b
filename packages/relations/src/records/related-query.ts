import type { Row, Condition, ModelType } from '@modelwire/core/connector'
import {
  repository,
  type ResolvedRelation,
  type Restriction,
  restrictionFor,
  TrustedWhere,
  Unusable
} from '@modelwire/core/plugin'
import { type Awaitable, isPlainObject } from '@modelwire/server'
import type { Related } from '../related.ts'

const matching: Readonly<Record<string, string>> = { number: 'number', integer: 'number', string: 'string' }

/** What the client of a call may see of a relation's records; undefined: everything. */
export function relatedRights({ call }: Pick<Related, 'call'>, model: ModelType): Awaitable<Restriction | undefined> {
  return restrictionFor(model, call, 'find')
}

/** Whether a client may read all of these properties. */
export const readsKeys = (keys: readonly (string | undefined)[], restriction: Restriction | undefined): boolean =>
  keys.every((key) => key === undefined || restriction?.readable?.has(key) !== false)

/**
 * Refuses a relation that uses properties which the client may not read.
 * @throws the restriction's error for denied properties
 */
export function checkReadsKeys(
  { from, name }: ResolvedRelation,
  keys: readonly (string | undefined)[],
  restriction: Restriction | undefined
): void {
  const denied = keys.find((key) => key !== undefined && restriction?.readable?.has(key) === false)
  if (denied !== undefined && restriction !== undefined)
    throw restriction.denyProperty(`this client may not follow ${from.name}.${name}: it may not read ${denied}`)
}

/**
 * A query of a relation's records, with the rights of the caller.
 * @param filter as the caller wrote it
 */
export async function relatedQuery(
  related: Pick<Related, 'call'>,
  model: ModelType,
  scope: repository.QueryScope,
  filter: unknown
): Promise<repository.Query> {
  return { scope, filter, call: related.call, restriction: await relatedRights(related, model) }
}

/** A filter for the record with an id, not written by a client. */
export function filterById(model: ModelType, id: unknown): Record<string, unknown> {
  return { where: new TrustedWhere(repository.whereId(model, id)), limit: 1 }
}

/**
 * The data of a new related record that the client may send, before the relation adds keys.
 * @throws {ValidationError} it sets a read-only property
 */
export async function acceptedData(related: Pick<Related, 'call'>, model: ModelType, data: unknown): Promise<Row> {
  const { call } = related
  return repository.acceptNew(model, data, { call, restriction: await relatedRights(related, model) })
}

/** A value in the type of a property; undefined if no record can have it. Objects and lists are never keys. */
export function toKey(model: ModelType, property: string, value: unknown): unknown {
  if (value === null || value === undefined || isPlainObject(value) || Array.isArray(value)) return undefined
  const plan = model.byName.get(property)
  if (plan === undefined || matching[plan.type.kind] === typeof value) return value
  const coerced = model.plan.find(({ name }) => name === property)?.coerce(value)
  return coerced instanceof Unusable ? undefined : coerced
}

/** The condition that a property equals one of `values`, none of which is read as an operator. */
export function keyCondition(model: ModelType, property: string, values: readonly unknown[]): Condition {
  const keys = values.map((value) => toKey(model, property, value)).filter((key) => key !== undefined)
  const at = { kind: 'test', path: [property], type: model.byName.get(property)?.type } as const
  if (keys.length === 0) return { kind: 'never' }
  return keys.length === 1 ? { ...at, test: 'equals', value: keys[0] } : { ...at, test: 'in', values: keys }
}

/** The key condition as written on the wire. */
export function keyWhere(property: string, values: readonly unknown[]): Record<string, unknown> {
  return { [property]: values.length === 1 ? values[0] : { inq: values } }
}
