import { serverCall } from '../../access/call.ts'
import type { Call } from '../../contract/call.ts'
import { compileFilter, compileOptionalWhere } from '../../filter/compile-filter.ts'
import type { Condition, Filter } from '../../contract/condition.ts'
import type { Collection } from '../../contract/connector.ts'
import {
  bothConditions,
  bothIncludes,
  conditionUnderScope,
  hasChangingScope,
  mergeFilters,
  underScope
} from '../../filter/default-scope.ts'
import { namesRelation } from '../../filter/related-conditions.ts'
import { checkReadable, conditionWithin, filterWithin } from '../../filter/restriction.ts'
import type { Restriction } from '../../contract/access-control.ts'
import { type KeptPerModel, keepPerModel } from '../../model/model-lineage.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import { announceAccess } from '../records/announce.ts'
import { assertClientQuery } from '../records/rights.ts'
import { isShownAsStored } from '../records/records.ts'
import { collectionOf } from '../records/identify.ts'
import { includesNothing } from './related.ts'

type Wire = Record<string, unknown>

/** A filter of the application that is combined with the caller's, such as the key of a parent. */
export interface QueryScope {
  readonly filter: Filter
  /** The filter as written on the wire, for observers of `access`. */
  readonly wire: () => Record<string, unknown>
}

/** Which records are requested, by which caller, and within which scope. */
export interface Query {
  /** The caller's filter, as written. */
  readonly filter: unknown
  readonly call: Call
  /** What access control lets the client see of the model here; undefined: everything, as for code. */
  readonly restriction: Restriction | undefined
  /** The scope; absent: all records of the model. */
  readonly scope?: QueryScope | undefined
}

/** The facts known about a read before its rows. */
export interface ReadPlan {
  readonly collection: Collection
  /** The whole filter except a client's restriction, which is added last, so that no observer and no scope can drop it. */
  readonly filter: Filter
  /** Related records are included. */
  readonly includes: boolean
  /** Rows are shown as stored. */
  readonly asStored: boolean
}

/** Of queries that `rest` froze because their text is cached. Models first: there are few of them, and many queries. */
const plans = new WeakMap<ModelType, WeakMap<object, ReadPlan>>()

// The same queries, compiled once per model.
const callerFilters = keepPerModel<Filter>()
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

/** The plan of a whole filter, with the bounds of the client. */
function planFor(model: ModelType, call: Call, filter: Filter): ReadPlan {
  const collection = collectionOf(model, 'find')
  const includes = !includesNothing(filter.include)
  return {
    collection,
    filter: boundedFor(call, filter),
    includes,
    asStored: isShownAsStored(model)
  }
}

/**
 * The cached plan of a query; undefined if more than its filter and its model decide: if `access` is observed, within a
 * scope, and for clients that may not read all properties.
 */
export function keptPlan(model: ModelType, { filter, call, scope, restriction }: Query): ReadPlan | undefined {
  const isOpen = scope === undefined && restriction?.readable === undefined && !model.hooks.has('access')
  return isOpen ? planKeptFor(model, filter, call) : undefined
}

function planKeptFor(model: ModelType, raw: unknown, call: Call): ReadPlan | undefined {
  const plan = typeof raw === 'object' && raw !== null ? plans.get(model)?.get(raw) : undefined
  // The model may have moved to another data source.
  if (plan === undefined || plan.collection !== model.collection) return undefined
  const filter = boundedFor(call, plan.filter)
  return filter === plan.filter ? plan : { ...plan, filter }
}

/** Keeps a plan as long as its frozen query is there. Until the registry is sealed, properties and relations may be added. */
function keep(model: ModelType, raw: unknown, plan: ReadPlan): ReadPlan {
  if (!isPlainObject(raw) || !Object.isFrozen(raw) || hasChangingScope(model) || !model.registry.sealed) return plan
  const ofModel = plans.get(model) ?? new WeakMap<object, ReadPlan>()
  plans.set(model, ofModel.set(raw, plan))
  return plan
}

/** The caller's own filter, compiled. @throws the restriction's error for denied properties that it names */
function compileCallerFilter(model: ModelType, { filter: raw, call, restriction }: Query): Filter {
  const filter = compiledOnce(callerFilters, model, raw, () => compileFilter(model, raw, call))
  checkReadable(model, filter, restriction)
  return filter
}

/** The plan of a query without observers, with its scopes and bounds. */
function planWhole(model: ModelType, query: Query): ReadPlan {
  const { filter: raw, call, scope, restriction } = query
  const compile = (filter: Filter): ReadPlan => planFor(model, call, underScope(model, filter))
  if (scope !== undefined) return compile(mergeFilters(scope.filter, compileCallerFilter(model, query)))
  if (restriction?.readable !== undefined) compileCallerFilter(model, query)
  return planKeptFor(model, raw, call) ?? keep(model, raw, compile(compileFilter(model, raw, call)))
}

const wireWhere = (wire: Wire): readonly unknown[] =>
  wire['where'] === undefined || wire['where'] === null ? [] : [wire['where']]

/** A filter under a scope, as written: what `mergeFilters` makes of compiled ones. */
function mergeWire(scope: Wire, filter: Wire): Wire {
  const wheres = [...wireWhere(scope), ...wireWhere(filter)]
  const where = wheres.length > 1 ? { and: wheres } : wheres[0]
  const include = bothIncludes(scope['include'], filter['include'])
  const parts = { ...(include === undefined ? {} : { include }), ...(where === undefined ? {} : { where }) }
  const merged = { ...filter, ...scope, ...parts }
  return filter['order'] === undefined ? merged : { ...merged, order: filter['order'] }
}

/** What is asked for under a scope, as observers of `access` are shown it. */
function wireOf({ scope, filter }: Query): unknown {
  return scope === undefined ? filter : mergeWire(scope.wire(), isPlainObject(filter) ? filter : {})
}

/** Compiles a query after observers of `access`, with its scopes and bounds. */
export async function compileQuery(model: ModelType, query: Query, hookState: Wire): Promise<ReadPlan> {
  if (!model.hooks.has('access')) return planWhole(model, query)
  const { filter, call, restriction, scope } = query
  const checked = assertClientQuery(model, ['access'], filter, call, restriction)
  const trusted = scope === undefined ? checked : serverCall()
  const wire = await announceAccess(model, wireOf(query), call, hookState)
  return planFor(model, call, underScope(model, compileFilter(model, wire, trusted)))
}

/**
 * The whole filter of a query, within its restriction, if it can be determined synchronously; undefined if observers of
 * `access` or related records decide.
 */
export function filterOf(model: ModelType, query: Query): Filter | undefined {
  if (model.hooks.has('access') || namesRelation(model, query.filter)) return undefined
  return filterWithin(query.restriction, planWhole(model, query).filter)
}

/** A `where` and its scopes, compiled. */
function wholeCondition(model: ModelType, { filter: where, call, scope, restriction }: Query): Condition | undefined {
  const compile = (): Condition | undefined => {
    const own = compileOptionalWhere(model, where, call)
    checkReadable(model, { where: own }, restriction)
    return conditionUnderScope(model, bothConditions(scope?.filter.where, own))
  }
  return scope === undefined && restriction?.readable === undefined
    ? compiledOnce(conditions, model, where, compile)
    : compile()
}

/** The records of a query, and the properties that observers of `access` leave; undefined: all. */
export interface Selection {
  readonly condition: Condition | undefined
  readonly fields: ReadonlySet<string> | undefined
}

/**
 * The selected records of a query, within its restriction, after observers of `access`.
 * @param query its filter is a `where`
 */
export async function compileSelection(model: ModelType, query: Query): Promise<Selection> {
  const { filter: where, call, scope, restriction } = query
  if (!model.hooks.has('access'))
    return { condition: conditionWithin(restriction, wholeCondition(model, query)), fields: undefined }
  const checked = assertClientQuery(model, ['access'], { where }, call, restriction)
  const trusted = scope === undefined ? checked : serverCall()
  const own = isPlainObject(where) ? { where } : {}
  const wire = scope === undefined ? { where: where ?? {} } : mergeWire({ where: scope.wire()['where'] }, own)
  const { where: announced, fields } = await announceAccess(model, wire, call)
  const whole = conditionUnderScope(model, compileOptionalWhere(model, announced, trusted))
  return {
    condition: conditionWithin(restriction, whole),
    fields: compileFilter(model, { fields }, trusted).fields
  }
}
