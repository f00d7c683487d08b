import { callOf, restrictionFor } from '../../access/call.ts'
import type { Call } from '../../contract/call.ts'
import type { Filter } from '../../contract/condition.ts'
import { InvalidArgument, InvalidFilter, KeyIncomplete, NotImplemented } from '../../errors.ts'
import type { Row } from '../../contract/row.ts'
import { hasScope } from '../../filter/default-scope.ts'
import { denyMissing } from '../../filter/restriction.ts'
import type { Restriction } from '../../contract/access-control.ts'
import type { ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { clonePlain, isPlainObject } from '@modelwire/server'
import { completeRow, Records } from '../records/records.ts'
import { byId, collectionOf, mayRepeatIds, toId } from '../records/identify.ts'
import type { PartedRecords } from '../records/parted-records.ts'
import { onlyFirst, type Read, readList, readRecords } from './read.ts'
import { compileSelection, type Query } from './read-plan.ts'
import { resolveRelatedWhere } from './related.ts'

/** What is read, and by which method, as named in access rules, for a client. */
type Asked = Pick<Read, 'filter' | 'call' | 'isList'> & { readonly method: string }

/**
 * Reads the option `lock` of code, and returns it with the call without it: subsequent reads lock nothing.
 * @throws {InvalidArgument} there is no such lock
 * @throws {NotImplemented} the connector locks nothing
 */
export function takeLock(model: ModelType, call: Call): { readonly call: Call; readonly lock: Filter['lock'] } {
  if ((call.options['lock'] ?? undefined) === undefined) return { call, lock: undefined }
  const { lock, ...options } = call.options
  if (lock !== 'update') throw new InvalidArgument('the option lock must be "update" or absent')
  const connector = model.dataSource?.connector
  if (connector?.capabilities.locks !== true)
    throw new NotImplemented(`the connector ${connector?.name ?? `of ${model.name}`} cannot lock records`)
  return { call: { ...call, options }, lock }
}

/**
 * A copy of code's request as of the call, since code may change its object before the read begins. Clients have one for
 * each call.
 */
export const asCalled = (asked: unknown, { client }: Call): unknown =>
  client === undefined && !Object.isFrozen(asked) ? clonePlain(asked) : asked

/** The records that match, including related ones. */
async function findRecords(
  model: ModelType,
  { filter, call: caller, method, isList = false }: Asked
): Promise<Records> {
  collectionOf(model, 'find')
  const { call, lock } = takeLock(model, caller)
  const asked = asCalled(filter, call)
  const restriction = await restrictionFor(model, call, method)
  return readRecords(model, { filter: asked, call, restriction, lock, isList })
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

/** Like `find`, for a response to a client: no instances are created, and many records are read part by part if the call takes them so. */
export async function findForResponse(model: ModelType, filter: unknown, call: Call): Promise<Records | PartedRecords> {
  const restriction = await restrictionFor(model, call, 'find')
  return readList(model, { filter, call, restriction, isList: true })
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

/** Like the function above, for a response to a client; undefined if there is none. */
export async function findOneForResponse(model: ModelType, filter: unknown, call: Call): Promise<Records | undefined> {
  const restriction = await restrictionFor(model, call, 'findOne')
  return onlyFirst(await readRecords(model, { filter: limitedToOne(filter), call, restriction }))
}

/** True where a record can be read by nothing but its id: no hook, no scope, no filter. */
const isPlainRead = (model: ModelType, filter: unknown, restriction: Restriction | undefined): boolean =>
  filter === undefined && restriction === undefined && model.hooks.isEmpty && !hasScope(model)

/** The record of a read by id. @throws {KeyIncomplete} there are several */
function onlyOne({ name }: ModelType, records: Records): Records | undefined {
  if (records.rows.length > 1)
    throw new KeyIncomplete(`several records of ${name} have this id: find them by a condition`)
  return onlyFirst(records)
}

/**
 * Reads the record with this id for a response; undefined if there is none.
 * @throws {KeyIncomplete} several records have it
 * @throws what access control denies records with: a client may see only some of them, and not this one
 */
export async function findByIdForResponse(
  model: ModelType,
  id: unknown,
  filter: unknown,
  caller: Call
): Promise<Records | undefined> {
  const key = toId(model, id)
  const method = 'findById'
  const restriction = await restrictionFor(model, caller, method)
  const { call, lock } = key === undefined ? { call: caller, lock: undefined } : takeLock(model, caller)
  if (key !== undefined && lock === undefined && isPlainRead(model, filter, restriction)) {
    const row = await collectionOf(model, method).findById(key, call)
    return row && new Records(model, { rows: [completeRow(model, row)] }, true)
  }
  const read = async (): Promise<Records> =>
    readRecords(model, { filter: filterById(model, key, filter), call, restriction, lock })
  const found = key === undefined ? undefined : onlyOne(model, await read())
  if (found === undefined) denyMissing(restriction)
  return found
}

/**
 * The record with this id, or null. `filter` may contain `fields` and `include`; its `where` is ignored.
 * @throws what access control denies records with: a client may see only some of them, and not this one
 */
export async function findById(
  model: ModelType,
  id: unknown,
  filter?: unknown,
  call: Call = callOf()
): Promise<ModelInstance | null> {
  return (await findByIdForResponse(model, id, asCalled(filter, call), call))?.first() ?? null
}

/** A filter for one record: besides the id a caller may choose its fields, and what it includes. */
function filterById(model: ModelType, key: unknown, filter: unknown): Row {
  const only = { where: byId(model, key), limit: mayRepeatIds(model) ? 2 : 1 }
  if (filter === undefined || filter === null) return only
  if (!isPlainObject(filter)) throw new InvalidFilter('a filter must be an object')
  const { fields, include } = filter
  return { ...only, fields, include }
}

/**
 * The number of records that match.
 * @param method the name of the count for access rules, for a client
 */
export async function count(
  model: ModelType,
  where?: unknown,
  call: Call = callOf(),
  method = 'count'
): Promise<number> {
  const filter = asCalled(where, call)
  return countRecords(model, { filter, call, restriction: await restrictionFor(model, call, method) })
}

/**
 * The number of records that match a query.
 * @param query its filter is a `where`
 */
export async function countRecords(model: ModelType, query: Query): Promise<number> {
  const { call } = query
  const where = await resolveRelatedWhere(model, query.filter, call)
  const collection = collectionOf(model, 'count')
  const { condition } = await compileSelection(model, { ...query, filter: where })
  return collection.count(condition, call)
}

/**
 * True if a record has this id.
 * @throws what access control denies records with: a client may see only some of them, and not this one
 */
export async function exists(model: ModelType, id: unknown, call: Call = callOf()): Promise<boolean> {
  const key = toId(model, id)
  const method = 'exists'
  const isThere = key !== undefined && (await count(model, byId(model, key), call, method)) > 0
  if (!isThere) denyMissing(await restrictionFor(model, call, method))
  return isThere
}
