import type { Row } from '@modelwire/core/connector'
import {
  type Awaitable,
  type ModelType,
  repository,
  type ResolvedRelation,
  type Restriction,
  restrictionFor,
  TrustedWhere
} from '@modelwire/core/plugin'
import type { Related } from '../related.ts'

/** What the client behind a call may see of records that a relation leads to; undefined: everything. */
export function relatedRights({ call }: Pick<Related, 'call'>, model: ModelType): Awaitable<Restriction | undefined> {
  return restrictionFor(model, call, 'find')
}

/** Whether a client may read all of these properties. */
export const readsKeys = (keys: readonly (string | undefined)[], restriction: Restriction | undefined): boolean =>
  keys.every((key) => key === undefined || restriction?.readable?.has(key) !== false)

/**
 * Refuses a relation that is followed by properties of a model which the client may not read.
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

/** A query of records that a relation leads to, with the rights of the caller. @param filter as the caller wrote it */
export async function relatedQuery(
  related: Pick<Related, 'call'>,
  model: ModelType,
  scope: repository.QueryScope,
  filter: unknown
): Promise<repository.Query> {
  return { scope, filter, call: related.call, restriction: await relatedRights(related, model) }
}

/** A filter for the record with an id, which no client wrote as a filter. */
export function filterById(model: ModelType, id: unknown): Record<string, unknown> {
  return { where: new TrustedWhere(repository.whereId(model, id)), limit: 1 }
}

/**
 * The data of a new related record as the client may send it, before the relation adds keys.
 * @throws {ValidationError} it sets a read-only property
 */
export async function acceptedData(related: Pick<Related, 'call'>, model: ModelType, data: unknown): Promise<Row> {
  const { call } = related
  return repository.acceptNew(model, data, { call, restriction: await relatedRights(related, model) })
}
