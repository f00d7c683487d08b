import type { Call } from '../contract/call.ts'
import { serverCall } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import type { Restriction } from '../contract/restriction.ts'
import { namesRelation, whereNamesRelation } from '../filter/names-relation.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ResolvedFilter } from '../contract/related-records.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'

/**
 * The filter without its parts that reach into related records: `relations` carries them out. The filter itself where it
 * has none.
 */
export function resolveRelated(
  model: ModelType,
  filter: unknown,
  call: Call,
  restriction: Restriction | undefined
): Awaitable<ResolvedFilter> {
  const resolve = model.registry.relatedFilter
  return resolve === undefined || !namesRelation(model, filter)
    ? { filter }
    : resolve({ model, filter, call, restriction })
}

/** Resolves the conditions on related records in a `where`; returns the `where` itself where it names no relation. */
export function resolveRelatedWhere(model: ModelType, where: unknown, call: Call, asKeys = false): Awaitable<unknown> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  const resolving = resolve({ model, filter: { where }, call, asKeys })
  // A filter goes in, so a filter comes out.
  return andThen(resolving, ({ filter }) => (filter as { where?: unknown }).where)
}

/** Resolves a `where` that will be compared with this one record. */
export async function resolveWhereOfRecord(
  model: ModelType,
  where: Readonly<Record<string, unknown>>,
  record: Row
): Promise<Readonly<Record<string, unknown>>> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  const { filter } = await resolve({ model, filter: { where }, call: serverCall(), asKeys: true, record })
  // A filter goes in, so a filter comes out.
  return (filter as { where: Readonly<Record<string, unknown>> }).where
}

/** Resolves the `where` of a write: observers of changes see the condition, perhaps when it no longer holds. */
export function resolveChangingWhere(model: ModelType, where: unknown, call: Call): Awaitable<unknown> {
  const isObserved = !model.hooks.isEmpty || model.deletionGuards.length > 0
  return resolveRelatedWhere(model, where, call, isObserved || model.registry.changes.hasListeners(model.name))
}
