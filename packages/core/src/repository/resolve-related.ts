import { namesRelation, whereNamesRelation } from '../filter/names-relation.ts'
import type { ModelType } from '../model/model-type.ts'
import type { ResolvedFilter } from '../seams.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'

/**
 * The filter without its parts that reach into related records: `relations` carries them out. The filter itself where it
 * has none.
 */
export function resolveRelated(
  model: ModelType,
  filter: unknown,
  options: Record<string, unknown>
): Awaitable<ResolvedFilter> {
  const resolve = model.registry.relatedFilter
  return resolve === undefined || !namesRelation(model, filter) ? { filter } : resolve({ model, filter, options })
}

/** The same for `where` alone; the `where` itself where it names no relation. */
export function resolveRelatedWhere(
  model: ModelType,
  where: unknown,
  options: Record<string, unknown>
): Awaitable<unknown> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  // A filter goes in, so a filter comes out.
  return andThen(resolve({ model, filter: { where }, options }), ({ filter }) => (filter as { where?: unknown }).where)
}
