import { keepPerModel } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import { asList } from '../operators/operand.ts'
import { compileScopeFilter } from './compile-filter.ts'
import type { Condition, Filter } from '../contract/condition.ts'

function scopeOf(model: ModelType): Record<string, unknown> | undefined {
  const { scope } = model.definition
  // The application's own function, called as LoopBack calls it.
  const value = typeof scope === 'function' ? (scope as () => unknown)() : scope
  return isPlainObject(value) ? value : undefined
}

/** Joins two conditions with `and`; absent ones always match. */
export function bothConditions(first: Condition | undefined, second: Condition | undefined): Condition | undefined {
  if (first === undefined) return second
  return second === undefined ? first : { kind: 'and', conditions: [first, second] }
}

/** Merges two includes. If both name a relation, the second one's form is used. */
export function bothIncludes(first: unknown, second: unknown): unknown {
  if (!first) return second
  return second ? [first, second].flat() : first
}

/**
 * Merges a filter with a scope: the conditions of both apply, the includes of both are merged, the scope's `limit`, `skip`
 * and `fields` win, the filter's `order` wins.
 * @see recordings crud/scope and relations/default-scope
 */
export function mergeFilters(scope: Filter, filter: Filter): Filter {
  return {
    where: bothConditions(scope.where, filter.where),
    order: filter.order.length > 0 ? filter.order : scope.order,
    limit: scope.limit ?? filter.limit,
    skip: scope.skip === 0 ? filter.skip : scope.skip,
    fields: scope.fields ?? filter.fields,
    include: bothIncludes(scope.include, filter.include)
  }
}

/** Models that extend each other share a scope, but not the types of the properties it names. */
const compiledScopes = keepPerModel<Filter>()

function compileScope(model: ModelType, scope: Record<string, unknown>): Filter {
  return compiledScopes(scope, model, () => compileScopeFilter(model, scope))
}

/** The model's default scope and those of its mixins as one filter; undefined where it has none. */
function wholeScope(model: ModelType): Filter | undefined {
  const own = model.definition.scope === undefined ? undefined : scopeOf(model)
  const scopes = own === undefined ? model.queryScopes : [own, ...model.queryScopes]
  return scopes
    .map((scope) => compileScope(model, scope))
    .reduce<Filter | undefined>((whole, scope) => (whole === undefined ? scope : mergeFilters(whole, scope)), undefined)
}

/** True if the model's scope is a function, which may return a different one each time. */
export const hasChangingScope = (model: ModelType): boolean => typeof model.definition.scope === 'function'

/** True if every query of the model is narrowed. */
export const hasScope = (model: ModelType): boolean =>
  model.definition.scope !== undefined || model.queryScopes.length > 0

/** Merges a filter with the model's default scope. */
export function underScope(model: ModelType, filter: Filter): Filter {
  const scope = hasScope(model) ? wholeScope(model) : undefined
  return scope === undefined ? filter : mergeFilters(scope, filter)
}

/** Merges a condition with the model's default scope. */
export function conditionUnderScope(model: ModelType, where: Condition | undefined): Condition | undefined {
  return hasScope(model) ? bothConditions(wholeScope(model)?.where, where) : where
}

/** The values of declared properties that a `where` fixes. LB3: null fixes nothing, as in a scope `{ deletedAt: null }`. */
function fixedValues(model: ModelType, where: unknown): (readonly [string, unknown])[] {
  if (!isPlainObject(where)) return []
  return Object.entries(where).flatMap(([key, value]) => {
    if (key === 'and') return (asList(value) ?? []).flatMap((part) => fixedValues(model, part))
    return typeof value === 'object' || !model.byName.has(key) ? [] : [[key, value] as const]
  })
}

/**
 * The plain values in a default scope's `where`: every new record gets them, whatever the client sends.
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, applyProperties
 */
export function scopeValues(model: ModelType): Record<string, unknown> | undefined {
  if (model.definition.scope === undefined) return undefined
  const fixed = fixedValues(model, scopeOf(model)?.['where'])
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed)
}
