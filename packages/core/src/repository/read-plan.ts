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
import { namesRelation } from '../filter/names-relation.ts'
import { checkReadable, conditionWithin, filterWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { type KeptPerModel, keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { announceAccess } from './announce.ts'
import { assertClientQuery } from './assert-client-query.ts'

type Wire = Record<string, unknown>

/** A filter of the application that what a caller asks for is put under, such as the key of a parent. */
export interface QueryScope {
  readonly filter: Filter
  /** The same as written on the wire, for observers of `access`. */
  readonly wire: () => Record<string, unknown>
}

/** Which records are asked for, by whom, and under what. */
export interface Query {
  /** What the caller asks for, as written. */
  readonly filter: unknown
  readonly call: Call
  /** What access control lets the client see of the model here; undefined: everything, as code sees. */
  readonly restriction: Restriction | undefined
  /** What it is put under; absent: all records of the model. */
  readonly scope?: QueryScope | undefined
}

// Queries that `rest` froze because their text is cached: compiled once per model.
const wholeFilters = keepPerModel<Filter>()
const askedFilters = keepPerModel<Filter>()
const conditions = keepPerModel<Condition | undefined>()

/** What `compile` makes of `raw`, kept as long as a frozen `raw` is. */
function compiledOnce<Value>(kept: KeptPerModel<Value>, model: ModelType, raw: unknown, compile: () => Value): Value {
  if (!isPlainObject(raw) || !Object.isFrozen(raw) || hasChangingScope(model)) return compile()
  return kept(raw, model, compile)
}

/** A filter of a call with the bounds of its client; the same object where it has them, since connectors keep plans by it. */
function boundedFor({ client }: Call, filter: Filter): Filter {
  const atMost = client?.limits.answer
  return filter.atMost === atMost ? filter : { ...filter, atMost }
}

/** What the caller asks for alone. @throws what the restriction denies properties with that it names */
function compileAsked(model: ModelType, { filter: raw, call, restriction }: Query): Filter {
  const filter = compiledOnce(askedFilters, model, raw, () => compileFilter(model, raw, call))
  checkReadable(model, filter, restriction)
  return filter
}

/** The filter of a query that nobody but the caller has a say in, with its scopes and bounds. */
function compileWhole(model: ModelType, query: Query): Filter {
  const { filter: raw, call, scope, restriction } = query
  if (scope !== undefined)
    return boundedFor(call, underScope(model, mergeFilters(scope.filter, compileAsked(model, query))))
  if (restriction?.readable !== undefined) compileAsked(model, query)
  const compile = (): Filter => boundedFor(call, underScope(model, compileFilter(model, raw, call)))
  return boundedFor(call, compiledOnce(wholeFilters, model, raw, compile))
}

const wireWhere = (wire: Wire): readonly unknown[] =>
  wire['where'] === undefined || wire['where'] === null ? [] : [wire['where']]

/** A filter under a scope, as written: what `mergeFilters` makes of compiled ones. */
function mergeWire(scope: Wire, asked: Wire): Wire {
  const wheres = [...wireWhere(scope), ...wireWhere(asked)]
  const where = wheres.length > 1 ? { and: wheres } : wheres[0]
  const include = bothIncludes(scope['include'], asked['include'])
  const given = { ...(include === undefined ? {} : { include }), ...(where === undefined ? {} : { where }) }
  const merged = { ...asked, ...scope, ...given }
  return asked['order'] === undefined ? merged : { ...merged, order: asked['order'] }
}

/** What is asked for under a scope, as observers of `access` are shown it. */
function wireOf({ scope, filter }: Query): unknown {
  return scope === undefined ? filter : mergeWire(scope.wire(), isPlainObject(filter) ? filter : {})
}

/**
 * Compiles a query as observers of `access` leave it, with its scopes and bounds. The restriction of a client is not part of it: it
 * comes on top, so that no observer and no scope can drop it.
 */
export function compileQuery(model: ModelType, query: Query, hookState: Wire): Awaitable<Filter> {
  if (!model.hooks.has('access')) return compileWhole(model, query)
  const { filter, call, restriction } = query
  const trusted = assertClientQuery(model, ['access'], filter, call, restriction)
  return andThen(announceAccess(model, wireOf(query), call, hookState), (wire) =>
    boundedFor(call, underScope(model, compileFilter(model, wire, trusted)))
  )
}

/**
 * The whole filter of a query, within its restriction, where it is known without asking anybody; undefined where observers of
 * `access` or related records have a say.
 */
export function filterOf(model: ModelType, query: Query): Filter | undefined {
  if (model.hooks.has('access') || namesRelation(model, query.filter)) return undefined
  return filterWithin(query.restriction, compileWhole(model, query))
}

/** A `where` and its scopes, compiled. */
function wholeCondition(model: ModelType, { filter: where, call, scope, restriction }: Query): Condition | undefined {
  const compile = (): Condition | undefined => {
    const asked = compileOptionalWhere(model, where, call)
    checkReadable(model, { where: asked }, restriction)
    return conditionUnderScope(model, bothConditions(scope?.filter.where, asked))
  }
  return scope === undefined && restriction?.readable === undefined
    ? compiledOnce(conditions, model, where, compile)
    : compile()
}

/** The condition of a count, within its restriction, as observers of `access` leave it. @param query its filter is a `where` */
export function compileCount(model: ModelType, query: Query): Awaitable<Condition | undefined> {
  const { filter: where, call, scope, restriction } = query
  if (!model.hooks.has('access')) return conditionWithin(restriction, wholeCondition(model, query))
  const trusted = assertClientQuery(model, ['access'], { where }, call, restriction)
  const asked = isPlainObject(where) ? { where } : {}
  const wire = scope === undefined ? { where: where ?? {} } : mergeWire({ where: scope.wire()['where'] }, asked)
  return andThen(announceAccess(model, wire, call), ({ where: announced }) =>
    conditionWithin(restriction, conditionUnderScope(model, compileOptionalWhere(model, announced, trusted)))
  )
}
