import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { InvalidFilter } from '../errors.ts'
import { hasScope } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { isPlainObject, clonePlain } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { completeRow, completeRows } from './complete-row.ts'
import { readText } from './find-text.ts'
import { Found, FoundText } from './found.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { collectionOf, toId, whereId } from './identify.ts'
import { resolveRelatedWhere } from './resolve-related.ts'
import { announceAccess, query, readResult, toCondition, withFilter, type Options, type Result } from './run-query.ts'
import { toInstance } from './to-instance.ts'

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

/** Records on their way to a client: in the form in which they came. */
export type Answer = Found | FoundText | Model | Model[]

/**
 * The records that match, for an answer: their JSON text where the database can make it, else stored rows, or instances
 * where an observer of `loaded` wants to see each record. With `single` the first one alone, undefined where there is none.
 */
export function findAnswer(
  model: ModelType,
  filter: unknown,
  options: Options,
  single: boolean
): Awaitable<Answer | undefined> {
  collectionOf(model, 'find')
  return withFilter(model, filter, options, (asked) => {
    const text = asked.sort === undefined ? readText(model, asked.filter, options, single) : undefined
    return andThen(text, (known) => {
      if (known !== undefined) return known === null ? undefined : new FoundText(model, known)
      const asRows = !model.hooks.has('loaded')
      const reading = readResult(model, { options, asRows, ...asked })
      const answer = andThen(reading, (result) => toAnswer(model, result, options))
      return single ? andThen(answer, onlyOne) : answer
    })
  })
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
    return (await find(model, { where: whereId(model, key), limit: 1, ...filterOf(filter) }, options))[0] ?? null
  const row = await collectionOf(model, 'findById').findById(key)
  return row === undefined ? null : toInstance(model, completeRow(model, row))
}

function filterOf(filter: unknown): Row {
  if (filter === undefined || filter === null) return {}
  if (isPlainObject(filter)) {
    const { fields, include } = filter
    return { fields, include }
  }
  throw new InvalidFilter('a filter must be an object')
}

/** The stored row with this id; undefined when there is none. */
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
  const byId = { where: whereId(model, key), limit: 1, ...filterOf(filter) }
  const reading = query(model, byId, options, !model.hooks.has('loaded'))
  return andThen(reading, (result) => andThen(toAnswer(model, result, options), onlyOne))
}

/** The record with this id, for an answer; undefined when there is none. */
export function findAnswerById(
  model: ModelType,
  id: unknown,
  filter: unknown,
  options: Options
): Awaitable<Answer | undefined> {
  const key = toId(model, id)
  if (key === undefined || isPlainRead(model, filter)) return findRow(model, id, filter, options)
  const byId = { where: whereId(model, key), limit: 1, ...filterOf(filter) }
  return findAnswer(model, byId, options, true)
}

/** A stored row as an answer of its own. */
const foundRow = (model: ModelType, row: Row): Found => new Found(model, { rows: [completeRow(model, row)] }, true)

/** The first of several as an answer of its own. */
function onlyOne(found: Found | Model[]): Found | Model | undefined {
  if (Array.isArray(found)) return found[0]
  return found.rows.length === 0 ? undefined : new Found(found.model, found, true)
}

/** The first record that matches, for an answer; undefined when there is none. */
export function findFirstAnswer(model: ModelType, filter: unknown, options: Options): Awaitable<Answer | undefined> {
  return findAnswer(model, limitedToOne(filter), options, true)
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
