import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import { InvalidFilter } from '../errors.ts'
import type { Row } from '../contract/row.ts'
import { hasScope } from '../filter/default-scope.ts'
import { denyMissing } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { completeRow } from './complete-row.ts'
import { byId, collectionOf, toId } from './identify.ts'
import { onlyFirst, type Read, readRecords } from './read.ts'
import { compileSelection, type Query } from './read-plan.ts'
import { Records } from './records.ts'
import { resolveRelatedWhere } from './resolve-related.ts'
import { takeLock } from './take-lock.ts'

/** What is read, and by which method: its name is that of access rules, for a client. */
type Asked = Pick<Read, 'filter' | 'call' | 'isList'> & { readonly method: string }

/** The records that match, with what they include. */
function findRecords(model: ModelType, { filter, call: caller, method, isList = false }: Asked): Awaitable<Records> {
  collectionOf(model, 'find')
  const { call, lock } = takeLock(model, caller)
  return andThen(restrictionFor(model, call, method), (restriction) =>
    readRecords(model, { filter, call, restriction, lock, isList })
  )
}

/**
 * The records that match `filter`.
 * @param method the name of the read for access rules, for a client
 */
export async function find(
  model: ModelType,
  filter?: unknown,
  call: Call = callOf(),
  method = 'find'
): Promise<ModelInstance[]> {
  return [...(await findRecords(model, { filter, call, method, isList: true })).instances()]
}

/** Like `find`, for a client's answer: no instances are made. */
export function findForResponse(model: ModelType, filter: unknown, call: Call): Awaitable<Records> {
  return andThen(restrictionFor(model, call, 'find'), (restriction) =>
    readRecords(model, { filter, call, restriction, isList: true })
  )
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
  return (await findRecords(model, { filter: limitedToOne(filter), call, method: 'findOne' })).first() ?? null
}

/** Like the function above, for a client's answer; undefined when there is none. */
export function findOneForResponse(model: ModelType, filter: unknown, call: Call): Awaitable<Records | undefined> {
  return andThen(restrictionFor(model, call, 'findOne'), (restriction) =>
    andThen(readRecords(model, { filter: limitedToOne(filter), call, restriction }), onlyFirst)
  )
}

/** True where a record can be read by its id alone: no hook, no scope, no filter. */
const isPlainRead = (model: ModelType, filter: unknown, restriction: Restriction | undefined): boolean =>
  filter === undefined && restriction === undefined && model.hooks.isEmpty && !hasScope(model)

/**
 * Reads the record with this id; undefined where there is none.
 * @throws what access control denies records with: a client may see some of them alone, and this is none of these
 */
function readById(
  model: ModelType,
  { id, filter, call: caller }: { readonly id: unknown; readonly filter: unknown; readonly call: Call }
): Awaitable<Records | undefined> {
  const key = toId(model, id)
  const method = 'findById'
  return andThen(restrictionFor(model, caller, method), (restriction): Awaitable<Records | undefined> => {
    const orDeny = (found: Records | undefined): Records | undefined => {
      if (found === undefined) denyMissing(restriction)
      return found
    }
    if (key === undefined) return orDeny(undefined)
    const { call, lock } = takeLock(model, caller)
    if (lock !== undefined || !isPlainRead(model, filter, restriction)) {
      const read = { filter: filterById(model, key, filter), call, restriction, lock }
      return andThen(readRecords(model, read), (records) => orDeny(onlyFirst(records)))
    }
    return andThen(collectionOf(model, method).findById(key, call), (row) => {
      return row && new Records(model, { rows: [completeRow(model, row)] }, true)
    })
  })
}

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
  return (await readById(model, { id, filter, call }))?.first() ?? null
}

/** The same for a client; undefined when there is none. */
export function findByIdForResponse(
  model: ModelType,
  id: unknown,
  filter: unknown,
  call: Call
): Awaitable<Records | undefined> {
  return readById(model, { id, filter, call })
}

/** A filter for one record: besides the id a caller may choose its fields, and what it includes. */
export function filterById(model: ModelType, key: unknown, filter: unknown): Row {
  const only = { where: byId(model, key), limit: 1 }
  if (filter === undefined || filter === null) return only
  if (!isPlainObject(filter)) throw new InvalidFilter('a filter must be an object')
  const { fields, include } = filter
  return { ...only, fields, include }
}

/** How many records match. @param method the name of the count for access rules, for a client */
export function count(model: ModelType, where?: unknown, call: Call = callOf(), method = 'count'): Awaitable<number> {
  return andThen(restrictionFor(model, call, method), (restriction) =>
    countRecords(model, { filter: where, call, restriction })
  )
}

/** How many records match a query. @param query its filter is a `where` */
export function countRecords(model: ModelType, query: Query): Awaitable<number> {
  const { call } = query
  return andThen(resolveRelatedWhere(model, query.filter, call), (where) => {
    const collection = collectionOf(model, 'count')
    return andThen(compileSelection(model, { ...query, filter: where }), ({ condition }) =>
      collection.count(condition, call)
    )
  })
}

/**
 * True when a record has this id.
 * @throws what access control denies records with: a client may see some of them alone, and this is none of these
 */
export async function exists(model: ModelType, id: unknown, call: Call = callOf()): Promise<boolean> {
  const key = toId(model, id)
  const method = 'exists'
  const isThere = key !== undefined && (await count(model, byId(model, key), call, method)) > 0
  if (!isThere) denyMissing(await restrictionFor(model, call, method))
  return isThere
}
