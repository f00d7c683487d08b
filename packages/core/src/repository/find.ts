import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { InvalidFilter } from '../errors.ts'
import { compileFilter, compileOptionalWhere, type QueryOptions } from '../filter/compile-filter.ts'
import type { Condition, Filter } from '../filter/condition.ts'
import { conditionUnderScope, hasChangingScope, hasScope, underScope } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { isPlainObject, clonePlain } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { completeRow, completeRows } from './complete-row.ts'
import { Found } from './found.ts'
import type { ResolvedFilter } from '../seams.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { loadRelated, readingFilter } from './load-related.ts'
import { collectionOf, toId, whereId } from './identify.ts'
import { readSorted } from './read-sorted.ts'
import { resolveRelated, resolveRelatedWhere } from './resolve-related.ts'
import { toInstance } from './to-instance.ts'

/** What the caller hands to hooks and queries. */
export type Options = Record<string, unknown> & QueryOptions
type Wire = Record<string, unknown>

/** What a query came to. */
export interface Result {
  readonly filter: Filter
  readonly rows: readonly Row[]
  readonly related: readonly Record<string, unknown>[] | undefined
  /** Shared by `access` and `loaded`. */
  readonly hookState: Record<string, unknown>
}

/** What a query was compiled to. */
interface Compiled<Value> {
  readonly result: Value
}

type CompiledQueries<Value> = WeakMap<object, WeakMap<ModelType, Compiled<Value>>>

// Queries that `rest` froze because their text is cached: compiled once per model.
const compiledFilters: CompiledQueries<Filter> = new WeakMap()
const compiledConditions: CompiledQueries<Condition | undefined> = new WeakMap()

/** What `compile` makes of `raw`, kept as long as a frozen `raw` is. */
function compiledOnce<Value>(
  known: CompiledQueries<Value>,
  model: ModelType,
  raw: unknown,
  compile: () => Value
): Value {
  if (!isPlainObject(raw) || !Object.isFrozen(raw) || hasChangingScope(model)) return compile()
  const perModel = known.get(raw) ?? new WeakMap<ModelType, Compiled<Value>>()
  known.set(raw, perModel)
  const compiled = perModel.get(model) ?? { result: compile() }
  perModel.set(model, compiled)
  return compiled.result
}

function toFilter(model: ModelType, raw: unknown, options: QueryOptions): Filter {
  return compiledOnce(compiledFilters, model, raw, () => underScope(model, compileFilter(model, raw, options)))
}

function toCondition(model: ModelType, where: unknown, options: QueryOptions): Condition | undefined {
  return compiledOnce(compiledConditions, model, where, () =>
    conditionUnderScope(model, compileOptionalWhere(model, where, options))
  )
}

function query(model: ModelType, raw: unknown, options: Options, asRows: boolean): Awaitable<Result> {
  return andThen(resolveRelated(model, raw, options), (resolved) => runQuery(model, resolved, options, asRows))
}

function runQuery(
  model: ModelType,
  { filter: asked, sort }: ResolvedFilter,
  options: Options,
  asRows: boolean
): Awaitable<Result> {
  const collection = collectionOf(model, 'find')
  const hookState = {}
  const run = (wire: unknown, trusted: QueryOptions): Awaitable<Result> => {
    const filter = toFilter(model, wire, trusted)
    const reading = readSorted((read) => collection.find(read), readingFilter(filter), sort)
    return andThen(reading, (rows) =>
      andThen(loadRelated(model, { rows, filter, options, asRows }), (related) => ({
        filter,
        rows,
        hookState,
        related
      }))
    )
  }
  if (!model.hooks.has('access')) return run(asked, options)
  const trusted = checkAsked(model, ['access'], asked, options)
  return andThen(announceAccess(model, asked, options, hookState), (wire) => run(wire, trusted))
}

/** Runs the `access` hook on a copy of the filter, which observers may change or replace. */
export async function announceAccess(model: ModelType, raw: unknown, options: Options, hookState = {}): Promise<Wire> {
  const context = { query: isPlainObject(raw) ? clonePlain(raw) : {}, hookState }
  return (await notifyHook(model, 'access', context, options)).query ?? {}
}

/** The result of a query as instances, each shown to the observers of `loaded`. */
export async function toInstances(
  model: ModelType,
  { rows, filter, related, hookState }: Result,
  options: Options
): Promise<Model[]> {
  const instances: Model[] = []
  const observed = model.hooks.has('loaded')
  for (const [index, row] of rows.entries()) {
    const loaded = observed ? await announceLoaded(model, row, false, options, hookState) : row
    instances.push(toInstance(model, completeRow(model, loaded), { fields: filter.fields, related: related?.[index] }))
  }
  return instances
}

/** Runs the `loaded` hook on a copy of a row and returns what observers made of it. */
export async function announceLoaded(
  model: ModelType,
  row: Row,
  isNewInstance: boolean,
  options: Options,
  hookState = {}
): Promise<Row> {
  if (!model.hooks.has('loaded')) return row
  const context = await notifyHook(model, 'loaded', { data: clonePlain(row), isNewInstance, hookState }, options)
  return context.data ?? row
}

/** The records that match `filter`. */
export async function find(model: ModelType, filter?: unknown, options: Options = currentCaller()): Promise<Model[]> {
  return toInstances(model, await query(model, filter, options, false), options)
}

/** The stored rows that match, for an answer; instances where an observer of `loaded` wants to see each record. */
export function findRows(model: ModelType, filter: unknown, options: Options): Awaitable<Found | Model[]> {
  const asRows = !model.hooks.has('loaded')
  return andThen(query(model, filter, options, asRows), (result) => toAnswer(model, result, options))
}

/** The result of a query for an answer; instances where an observer of `loaded` wants to see each record. */
export function toAnswer(model: ModelType, result: Result, options: Options): Awaitable<Found | Model[]> {
  if (model.hooks.has('loaded')) return toInstances(model, result, options)
  const rows = completeRows(model, result.rows)
  return new Found(model, { rows, fields: result.filter.fields, related: result.related }, false)
}

// findOne takes no limit of its own, so a malformed one is not noticed: pinned by the recording filter/paging
function limitedToOne(filter: unknown): unknown {
  if (filter === undefined || filter === null) return { limit: 1 }
  return isPlainObject(filter) ? { ...filter, limit: 1 } : filter
}

/** The first record that matches, or null. */
export async function findOne(
  model: ModelType,
  filter?: unknown,
  options: Options = currentCaller()
): Promise<Model | null> {
  return (await find(model, limitedToOne(filter), options))[0] ?? null
}

/** True where a record can be read by its id without anybody having a say: no hook, no scope, no filter. */
const isPlainRead = (model: ModelType, filter: unknown): boolean =>
  filter === undefined && model.hooks.isEmpty && !hasScope(model)

/** The record with this id, or null. `filter` may hold `fields` and `include`; its `where` is ignored. */
export async function findById(
  model: ModelType,
  id: unknown,
  filter?: unknown,
  options: Options = currentCaller()
): Promise<Model | null> {
  const key = toId(model, id)
  if (key === undefined) return null
  if (!isPlainRead(model, filter))
    return (await find(model, { ...filterOf(filter), where: whereId(model, key), limit: 1 }, options))[0] ?? null
  const row = await collectionOf(model, 'findById').findById(key)
  return row === undefined ? null : toInstance(model, completeRow(model, row))
}

function filterOf(filter: unknown): Wire {
  if (filter === undefined || filter === null) return {}
  if (isPlainObject(filter)) {
    const { fields, include } = filter
    return { fields, include }
  }
  throw new InvalidFilter('a filter must be an object')
}

/** The stored row with this id, for an answer; undefined when there is none. */
export function findRow(
  model: ModelType,
  id: unknown,
  filter: unknown,
  options: Options
): Awaitable<Found | Model | undefined> {
  const key = toId(model, id)
  if (key === undefined) return undefined
  if (isPlainRead(model, filter))
    return andThen(collectionOf(model, 'findById').findById(key), (row) => row && foundRow(model, row))
  const byId = { ...filterOf(filter), where: whereId(model, key), limit: 1 }
  return andThen(findRows(model, byId, options), onlyOne)
}

/** A stored row as an answer of its own. */
const foundRow = (model: ModelType, row: Row): Found => new Found(model, { rows: [completeRow(model, row)] }, true)

/** The first of several as an answer of its own. */
function onlyOne(found: Found | Model[]): Found | Model | undefined {
  if (Array.isArray(found)) return found[0]
  return found.rows.length === 0 ? undefined : new Found(found.model, found, true)
}

/** The first row that matches, for an answer. */
export function findFirstRow(
  model: ModelType,
  filter: unknown,
  options: Options
): Awaitable<Found | Model | undefined> {
  return andThen(findRows(model, limitedToOne(filter), options), onlyOne)
}

/** How many records match. */
export function count(model: ModelType, where?: unknown, options: Options = currentCaller()): Awaitable<number> {
  return andThen(resolveRelatedWhere(model, where, options), (asked) => countWhere(model, asked, options))
}

function countWhere(model: ModelType, where: unknown, options: Options): Awaitable<number> {
  const collection = collectionOf(model, 'count')
  if (!model.hooks.has('access')) return collection.count(toCondition(model, where, options))
  const trusted = checkAsked(model, ['access'], { where }, options)
  return andThen(announceAccess(model, { where: where ?? {} }, options), (wire) =>
    collection.count(toCondition(model, wire['where'], trusted))
  )
}

/** True when a record has this id. */
export async function exists(model: ModelType, id: unknown, options: Options = currentCaller()): Promise<boolean> {
  const key = toId(model, id)
  return key !== undefined && (await count(model, whereId(model, key), options)) > 0
}
