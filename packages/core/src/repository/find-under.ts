import type { Call } from '../contract/call.ts'
import { compileFilter, compileOptionalWhere } from '../filter/compile-filter.ts'
import type { Condition, Filter } from '../contract/condition.ts'
import {
  bothConditions,
  bothIncludes,
  conditionUnderScope,
  hasChangingScope,
  mergeFilters,
  underScope
} from '../filter/default-scope.ts'
import { checkReadable, conditionWithin, filterWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { namesRelation } from '../filter/names-relation.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import { keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { toInstances } from './find.ts'
import { toAnswer } from './find-answer.ts'
import { announceAccess, boundedFor, type Result } from './run-query.ts'
import type { Found } from './found.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter, refuseIncludes } from './load-related.ts'
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
  readonly call: Call
  /** What access control lets the client see of the model here; undefined: everything, as code sees. */
  readonly restriction: Restriction | undefined
  /** Reads the rows in another way than by one call of `find`. */
  readonly read?: (filter: Filter) => Awaitable<readonly Record<string, unknown>[]>
}

// Filters that `rest` froze because their text is cached: compiled once per model.
const compiledAsked = keepPerModel<Filter>()

function compileAsked(model: ModelType, raw: unknown, call: Call, restriction: Restriction | undefined): Filter {
  const isKept = isPlainObject(raw) && Object.isFrozen(raw) && !hasChangingScope(model)
  const filter = isKept
    ? compiledAsked(raw, model, () => compileFilter(model, raw, call))
    : compileFilter(model, raw, call)
  checkReadable(model, filter, restriction)
  return filter
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

/** The filter of a query with its scopes and bounds; the restriction of the client is not part of it. */
async function scopedFilter(model: ModelType, query: Omit<ScopedQuery, 'read'>, hookState = {}): Promise<Filter> {
  return boundedFor(query.call, await withScopes(model, query, hookState))
}

async function withScopes(
  model: ModelType,
  { scope, filter, call, restriction }: Omit<ScopedQuery, 'read'>,
  hookState: Record<string, unknown>
): Promise<Filter> {
  if (!model.hooks.has('access'))
    return underScope(model, mergeFilters(scope.filter, compileAsked(model, filter, call, restriction)))
  checkAsked(model, ['access'], filter, call, restriction)
  const wire = mergeWire(scope.wire(), isPlainObject(filter) ? filter : {})
  return underScope(model, compileFilter(model, await announceAccess(model, wire, call, hookState)))
}

/**
 * The whole filter under a scope, within the restriction, where it is known without asking anybody; undefined where observers of
 * `access` or related records have a say.
 */
export function filterUnder(
  model: ModelType,
  { scope, filter, call, restriction }: Omit<ScopedQuery, 'read'>
): Filter | undefined {
  if (model.hooks.has('access') || namesRelation(model, filter)) return undefined
  const asked = compileAsked(model, filter, call, restriction)
  return boundedFor(call, filterWithin(restriction, underScope(model, mergeFilters(scope.filter, asked))))
}

/** Reads the rows under a scope, with what they include. */
export async function queryUnder(model: ModelType, query: ScopedQuery, asRows: boolean): Promise<Result> {
  const collection = collectionOf(model, 'find')
  const hookState = {}
  const { scope, call, restriction, read = (reading: Filter) => collection.find(reading, call) } = query
  const resolving = resolveRelated(model, query.filter, call, restriction)
  const { filter: asked, sort } = resolving instanceof Promise ? await resolving : resolving
  const filter = await scopedFilter(model, { scope, call, restriction, filter: asked }, hookState)
  await refuseIncludes(model, { filter, call, restriction })
  const rows = await readSorted(read, readingFilter(filterWithin(restriction, filter)), sort)
  const plain = asRows && !model.hooks.has('loaded')
  const related = await loadRelated(model, { rows, filter, call, asRows: plain, restriction })
  return { filter, rows, readable: restriction?.readable, hookState, related }
}

/** The records under a scope that match what the caller asks for. */
export async function findUnder(model: ModelType, query: ScopedQuery): Promise<ModelInstance[]> {
  return toInstances(model, await queryUnder(model, query, false), query.call)
}

/** The same for an answer: stored rows where nobody wants instances. */
export async function findRowsUnder(model: ModelType, query: ScopedQuery): Promise<Found | ModelInstance[]> {
  return toAnswer(model, await queryUnder(model, query, true), query.call)
}

/** How many records under a scope match `where`. */
export async function countUnder(
  model: ModelType,
  { scope, filter: asked, call, restriction }: Omit<ScopedQuery, 'read'>
): Promise<number> {
  const where = await resolveRelatedWhere(model, asked, call)
  const condition = await scopedCondition(model, { scope, filter: where, call, restriction })
  return collectionOf(model, 'count').count(conditionWithin(restriction, condition), call)
}

async function scopedCondition(
  model: ModelType,
  { scope, filter: where, call, restriction }: Omit<ScopedQuery, 'read'>
): Promise<Condition | undefined> {
  if (!model.hooks.has('access')) {
    const asked = compileOptionalWhere(model, where, call)
    checkReadable(model, { where: asked }, restriction)
    return conditionUnderScope(model, bothConditions(scope.filter.where, asked))
  }
  checkAsked(model, ['access'], { where }, call, restriction)
  const wire = mergeWire({ where: scope.wire()['where'] }, isPlainObject(where) ? { where } : {})
  const announced = await announceAccess(model, wire, call)
  return conditionUnderScope(model, compileOptionalWhere(model, announced['where']))
}
