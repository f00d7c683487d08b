import type { ModelType } from '../model/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

function scopeOf(model: ModelType): Record<string, unknown> | undefined {
  const { scope } = model.definition
  // The application's own function, called as LoopBack calls it.
  const value = typeof scope === 'function' ? (scope as () => unknown)() : scope
  return isPlainObject(value) ? value : undefined
}

const isEmpty = (where: unknown): boolean =>
  where === undefined || where === null || (isPlainObject(where) && Object.keys(where).length === 0)

/** Joins two `where`s with `and`. */
export function bothWheres(first: unknown, second: unknown): unknown {
  if (isEmpty(first)) return second
  return isEmpty(second) ? first : { and: [first, second] }
}

/**
 * A filter under a scope: the conditions of both hold, the scope's `limit`, `skip`, `fields` and `include` win, the
 * filter's `order` wins.
 * @see recordings crud/scope and relations/default-scope
 */
export function mergeFilters(scope: Record<string, unknown>, filter: unknown): unknown {
  if (filter === undefined || filter === null) return scope
  if (!isPlainObject(filter)) return filter
  return {
    ...filter,
    ...scope,
    where: bothWheres(scope['where'], filter['where']),
    order: isEmptyOrder(filter['order']) ? scope['order'] : filter['order']
  }
}

const isEmptyOrder = (order: unknown): boolean =>
  order === undefined || order === null || order === '' || (Array.isArray(order) && order.length === 0)

/** A filter under the model's default scope. */
export function applyScope(model: ModelType, filter: unknown): unknown {
  const scope = model.definition.scope === undefined ? undefined : scopeOf(model)
  return scope === undefined ? filter : mergeFilters(scope, filter)
}

/** A `where` under the model's default scope. */
export function scopedWhere(model: ModelType, where: unknown): unknown {
  const scope = model.definition.scope === undefined ? undefined : scopeOf(model)
  return scope === undefined ? where : bothWheres(scope['where'], where)
}

/** The plain values in a default scope's `where`: every new record gets them, whatever the client sends. */
export function scopeValues(model: ModelType): Record<string, unknown> | undefined {
  const where = model.definition.scope === undefined ? undefined : scopeOf(model)?.['where']
  if (!isPlainObject(where)) return undefined
  const plain = Object.entries(where).filter(
    ([key, value]) => key !== 'and' && key !== 'or' && (typeof value !== 'object' || value === null)
  )
  return plain.length === 0 ? undefined : Object.fromEntries(plain)
}
