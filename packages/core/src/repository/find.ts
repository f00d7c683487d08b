import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import { restrictionFor } from '../access/restriction-for.ts'
import type { Row } from '../contract/row.ts'
import { InvalidFilter } from '../errors.ts'
import type { Filter } from '../contract/condition.ts'
import { hasScope } from '../filter/default-scope.ts'
import { checkReadable, conditionWithin, denyMissing } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { notifyHook } from '../model/notify-hook.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject, clonePlain } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { completeRow } from './complete-row.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { collectionOf, toId, whereId } from './identify.ts'
import { resolveRelatedWhere } from './resolve-related.ts'
import { takeLock } from './take-lock.ts'
import { announceAccess, query, type ReadBy, type Result, toCondition } from './run-query.ts'
import { toInstance } from './to-instance.ts'

/** What of a result instances are made of. */
export type InstanceRows = Omit<Result, 'filter'> & { readonly filter: Pick<Filter, 'fields'> }

/** The result of a query as instances, each shown to the observers of `loaded`. */
export async function toInstances(
  model: ModelType,
  { rows, filter: { fields }, related, readable, hookState }: InstanceRows,
  call: Call
): Promise<ModelInstance[]> {
  const instances: ModelInstance[] = []
  const observed = model.hooks.has('loaded')
  for (const [index, row] of rows.entries()) {
    const loaded = observed ? await announceLoaded(model, row, false, call, hookState) : row
    instances.push(toInstance(model, completeRow(model, loaded), { fields, related: related?.[index], readable }))
  }
  return instances
}

/** A strict model has nothing that it does not declare, whatever observers add. */
function withoutUndeclared({ strict, byName }: ModelType, row: Row): Row {
  if (!strict || Object.keys(row).every((name) => byName.has(name))) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => byName.has(name)))
}

/** Runs the `loaded` hook on a copy of a row and returns what observers made of it. */
export async function announceLoaded(
  model: ModelType,
  row: Row,
  isNewInstance: boolean,
  call: Call,
  hookState = {}
): Promise<Row> {
  if (!model.hooks.has('loaded')) return row
  const context = await notifyHook(model, 'loaded', { data: clonePlain(row), isNewInstance, hookState }, call.options)
  return withoutUndeclared(model, context.data ?? row)
}

/**
 * The records that match `filter`.
 * @param method what access rules call the read, where a client asks
 */
export async function find(
  model: ModelType,
  filter?: unknown,
  asking: Call = callOf(),
  method = 'find'
): Promise<ModelInstance[]> {
  const { call, lock } = takeLock(model, asking)
  return toInstances(model, await query(model, filter, { call, method, lock }, false), call)
}

// findOne takes no limit of its own, so a malformed one is not noticed: pinned by the recording filter/paging
/** A filter for the first record that matches. */
export function limitedToOne(filter: unknown): unknown {
  if (filter === undefined || filter === null) return { limit: 1 }
  return isPlainObject(filter) ? { ...filter, limit: 1 } : filter
}

/** The first record that matches, or null. */
export async function findOne(
  model: ModelType,
  filter?: unknown,
  call: Call = callOf()
): Promise<ModelInstance | null> {
  return (await find(model, limitedToOne(filter), call, 'findOne'))[0] ?? null
}

/** True where a record can be read by its id without anybody having a say: no hook, no scope, no filter. */
export const isPlainRead = (model: ModelType, filter: unknown): boolean =>
  filter === undefined && model.hooks.isEmpty && !hasScope(model)

/**
 * The record with this id, or null. `filter` may hold `fields` and `include`; its `where` is ignored.
 * @throws what access control denies records with: a client may see some of them alone, and this is none of these
 */
export async function findById(
  model: ModelType,
  id: unknown,
  filter?: unknown,
  call: Call = callOf()
): Promise<ModelInstance | null> {
  const key = toId(model, id)
  const method = 'findById'
  const restriction = await restrictionFor(model, call, method)
  if (key === undefined) denyMissing(restriction)
  if (key === undefined) return null
  if (isPlainRead(model, filter) && restriction === undefined && (call.options['lock'] ?? undefined) === undefined) {
    const row = await collectionOf(model, method).findById(key, call)
    return row === undefined ? null : toInstance(model, completeRow(model, row))
  }
  const [found] = await find(model, filterById(model, key, filter), call, method)
  if (found === undefined) denyMissing(restriction)
  return found ?? null
}

/** A filter for one record: what a caller may ask for besides the id are its fields, and what it includes. */
export function filterById(model: ModelType, key: unknown, filter: unknown): Row {
  const byId = { where: whereId(model, key), limit: 1 }
  if (filter === undefined || filter === null) return byId
  if (!isPlainObject(filter)) throw new InvalidFilter('a filter must be an object')
  const { fields, include } = filter
  return { ...byId, fields, include }
}

/** How many records match. @param method what access rules call the count, where a client asks */
export function count(model: ModelType, where?: unknown, call: Call = callOf(), method = 'count'): Awaitable<number> {
  return andThen(restrictionFor(model, call, method), (restriction) =>
    andThen(resolveRelatedWhere(model, where, call), (asked) => countWhere(model, asked, call, restriction))
  )
}

function countWhere(
  model: ModelType,
  where: unknown,
  call: ReadBy['call'],
  restriction: Restriction | undefined
): Awaitable<number> {
  const collection = collectionOf(model, 'count')
  if (!model.hooks.has('access')) {
    const condition = toCondition(model, where, call)
    checkReadable(model, { where: condition }, restriction)
    return collection.count(conditionWithin(restriction, condition), call)
  }
  const trusted = checkAsked(model, ['access'], { where }, call, restriction)
  return andThen(announceAccess(model, { where: where ?? {} }, call), (wire) =>
    collection.count(conditionWithin(restriction, toCondition(model, wire['where'], trusted)), call)
  )
}

/**
 * True when a record has this id.
 * @throws what access control denies records with: a client may see some of them alone, and this is none of these
 */
export async function exists(model: ModelType, id: unknown, call: Call = callOf()): Promise<boolean> {
  const key = toId(model, id)
  const method = 'exists'
  const isThere = key !== undefined && (await count(model, whereId(model, key), call, method)) > 0
  if (!isThere) denyMissing(await restrictionFor(model, call, method))
  return isThere
}
