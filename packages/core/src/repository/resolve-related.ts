import { namesRelation } from '../filter/names-relation.ts'
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
  if (where === undefined || model.relationNames.size === 0) return where
  const resolving = resolveRelated(model, { where }, options)
  // A filter goes in, so a filter comes out.
  return resolving instanceof Promise
    ? andThen(resolving, ({ filter }) => (filter as { where?: unknown }).where)
    : where
}
