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
  options: Record<string, unknown>,
  asKeys = false
): Awaitable<unknown> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  const resolving = resolve({ model, filter: { where }, options, asKeys })
  // A filter goes in, so a filter comes out.
  return andThen(resolving, ({ filter }) => (filter as { where?: unknown }).where)
}

/**
 * The same for a `where` of records that change: who observes changes sees the condition, perhaps when it does not hold any
 * more.
 */
export function resolveChangingWhere(
  model: ModelType,
  where: unknown,
  options: Record<string, unknown>
): Awaitable<unknown> {
  const isAsked = !model.hooks.isEmpty || model.deletionGuards.length > 0
  return resolveRelatedWhere(model, where, options, isAsked || model.registry.changes.hasListeners(model.name))
}
