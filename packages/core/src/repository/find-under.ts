import { compileFilter, compileOptionalWhere, type QueryOptions } from '../filter/compile-filter.ts'
import type { Condition, Filter } from '../filter/condition.ts'
import {
  bothConditions,
  bothIncludes,
  conditionUnderScope,
  hasChangingScope,
  mergeFilters,
  underScope
} from '../filter/default-scope.ts'
import { namesRelation } from '../filter/names-relation.ts'
import type { Model } from '../model/model.ts'
import { keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../model/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { toAnswer, toInstances } from './find.ts'
import { announceAccess, type Options, type Result } from './run-query.ts'
import type { Found } from './found.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter } from './load-related.ts'
import { readSorted } from './read-sorted.ts'
import { resolveRelated, resolveRelatedWhere } from './resolve-related.ts'

/** A filter of the application that what a caller asks for is put under, such as the key of a parent. */
export interface QueryScope {
  readonly filter: Filter
  /** The same as written on the wire, for observers of `access`. */
  readonly wire: () => Record<string, unknown>
}

/** A query under a scope. */
export interface ScopedQuery {
  readonly scope: QueryScope
  /** What the caller asks for, as written. */
  readonly filter: unknown
  readonly options: Options
  /** Reads the rows in another way than by one call of `find`. */
  readonly read?: (filter: Filter) => Awaitable<readonly Record<string, unknown>[]>
}

// Filters that `rest` froze because their text is cached: compiled once per model.
const compiledAsked = keepPerModel<Filter>()

function compileAsked(model: ModelType, raw: unknown, options: QueryOptions): Filter {
  if (!isPlainObject(raw) || !Object.isFrozen(raw) || hasChangingScope(model)) return compileFilter(model, raw, options)
  return compiledAsked(raw, model, () => compileFilter(model, raw, options))
}

const wireWhere = (wire: Record<string, unknown>): readonly unknown[] =>
  wire['where'] === undefined || wire['where'] === null ? [] : [wire['where']]

/** A filter under a scope, as written: what `mergeFilters` makes of compiled ones. */
function mergeWire(scope: Record<string, unknown>, asked: Record<string, unknown>): Record<string, unknown> {
  const wheres = [...wireWhere(scope), ...wireWhere(asked)]
  const where = wheres.length > 1 ? { and: wheres } : wheres[0]
  const include = bothIncludes(scope['include'], asked['include'])
  const given = { ...(include === undefined ? {} : { include }), ...(where === undefined ? {} : { where }) }
  const merged = { ...asked, ...scope, ...given }
  return asked['order'] === undefined ? merged : { ...merged, order: asked['order'] }
}

async function scopedFilter(
  model: ModelType,
  { scope, filter, options }: Omit<ScopedQuery, 'read'>,
  hookState = {}
): Promise<Filter> {
  if (!model.hooks.has('access'))
    return underScope(model, mergeFilters(scope.filter, compileAsked(model, filter, options)))
  checkAsked(model, ['access'], filter, options)
  const wire = mergeWire(scope.wire(), isPlainObject(filter) ? filter : {})
  return underScope(model, compileFilter(model, await announceAccess(model, wire, options, hookState), {}))
}

/**
 * The whole filter under a scope, where it is known without asking anybody; undefined where observers of `access` or related
 * records have a say.
 */
export function filterUnder(
  model: ModelType,
  { scope, filter, options }: Omit<ScopedQuery, 'read'>
): Filter | undefined {
  if (model.hooks.has('access') || namesRelation(model, filter)) return undefined
  return underScope(model, mergeFilters(scope.filter, compileAsked(model, filter, options)))
}

/** Reads the rows under a scope, with what they include. */
export async function queryUnder(model: ModelType, query: ScopedQuery, asRows: boolean): Promise<Result> {
  const collection = collectionOf(model, 'find')
  const hookState = {}
  const { scope, options, read = (reading: Filter) => collection.find(reading) } = query
  const resolving = resolveRelated(model, query.filter, options)
  const { filter: asked, sort } = resolving instanceof Promise ? await resolving : resolving
  const filter = await scopedFilter(model, { scope, options, filter: asked }, hookState)
  const rows = await readSorted(read, readingFilter(filter), sort)
  const plain = asRows && !model.hooks.has('loaded')
  const related = await loadRelated(model, { rows, filter, options, asRows: plain })
  return { filter, rows, hookState, related }
}

/** The records under a scope that match what the caller asks for. */
export async function findUnder(model: ModelType, query: ScopedQuery): Promise<Model[]> {
  return toInstances(model, await queryUnder(model, query, false), query.options)
}

/** The same for an answer: stored rows where nobody wants instances. */
export async function findRowsUnder(model: ModelType, query: ScopedQuery): Promise<Found | Model[]> {
  return toAnswer(model, await queryUnder(model, query, true), query.options)
}

/** How many records under a scope match `where`. */
export async function countUnder(
  model: ModelType,
  { scope, filter: asked, options }: Omit<ScopedQuery, 'read'>
): Promise<number> {
  const where = await resolveRelatedWhere(model, asked, options)
  return collectionOf(model, 'count').count(await scopedCondition(model, scope, where, options))
}

async function scopedCondition(
  model: ModelType,
  scope: QueryScope,
  where: unknown,
  options: Options
): Promise<Condition | undefined> {
  if (!model.hooks.has('access')) {
    return conditionUnderScope(model, bothConditions(scope.filter.where, compileOptionalWhere(model, where, options)))
  }
  checkAsked(model, ['access'], { where }, options)
  const wire = mergeWire({ where: scope.wire()['where'] }, isPlainObject(where) ? { where } : {})
  const announced = await announceAccess(model, wire, options)
  return conditionUnderScope(model, compileOptionalWhere(model, announced['where'], {}))
}
