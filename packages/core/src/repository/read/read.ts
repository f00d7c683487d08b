import type { Call } from '../../contract/call.ts'
import type { Row } from '../../contract/row.ts'
import type { Filter } from '../../contract/condition.ts'
import { filterWithin } from '../../filter/restriction.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { ResolvedFilter } from '../../contract/relation.ts'
import { isPlainObject } from '@modelwire/server'
import { announceLoaded } from '../records/announce.ts'
import { completeRow, type RecordParts, Records } from '../records/records.ts'
import { PartedRecords } from '../records/parted-records.ts'
import { collectionOf } from '../records/identify.ts'
import { loadRelated, readingFilter, refuseIncludes, resolveRelated } from './related.ts'
import { readPage } from './page.ts'
import { compileQuery, keptPlan, type Query, type ReadPlan } from './read-plan.ts'

/** How records are read. */
export interface Read extends Query {
  readonly lock?: Filter['lock']
  /** Reads the rows in another way than by one call of `find`. */
  readonly fetch?: (filter: Filter) => readonly Row[] | Promise<readonly Row[]>
  /** It is the list requested by the call: its filter may contain a cursor, and `page` of the call refers to it. */
  readonly isList?: boolean
}

/** A read whose filter is compiled. */
export interface CompiledRead extends ReadPlan {
  /** Set if the connector cannot order. */
  readonly sort?: ResolvedFilter['sort']
  /** Shared by `access` and `loaded`; absent if `access` is not observed. */
  readonly hookState?: Record<string, unknown>
}

/** Rows of one part, where they are all read already. */
const rowsOfPart = 1000

/** Compiles a read, unless that was done before, and refuses includes that the client may not use before anything is read. */
async function compileRead(model: ModelType, read: Read): Promise<CompiledRead> {
  const compiled = keptPlan(model, read) ?? (await compileAnew(model, read))
  if (compiled.includes) await refuseIncludes(model, { ...read, filter: compiled.filter })
  return compiled
}

async function compileAnew(model: ModelType, read: Read): Promise<CompiledRead> {
  // Check the capability first: NotImplemented takes precedence over InvalidFilter.
  collectionOf(model, 'find')
  const { call, restriction } = read
  const { filter: resolved, sort } = await resolveRelated(model, read.filter, call, restriction)
  const hookState = {}
  const query = resolved === read.filter ? read : { ...read, filter: resolved }
  return { ...(await compileQuery(model, query, hookState)), sort, hookState }
}

/** True where a read is one of a page: it starts at a cursor, or more than the records is wanted. */
function isPage({ filter, call, isList }: Read): boolean {
  if (isList !== true) return false
  return call.page !== undefined || (isPlainObject(filter) && (filter['after'] ?? filter['before'] ?? null) !== null)
}

/** The filter that the connector receives. */
function connectorFilter({ restriction, lock }: Read, { filter, includes }: CompiledRead): Filter {
  const within = restriction === undefined ? filter : filterWithin(restriction, filter)
  const reading = includes ? readingFilter(within) : within
  return lock === undefined ? reading : { ...reading, lock }
}

async function fetchRows(model: ModelType, read: Read, compiled: CompiledRead): Promise<readonly Row[]> {
  if (isPage(read))
    return readPage(model, read, compiled, (filter) =>
      fetchRows(model, { ...read, isList: false }, { ...compiled, filter })
    )
  const { collection, sort } = compiled
  const { call, fetch = (filter) => collection.find(filter, call) } = read
  const filter = connectorFilter(read, compiled)
  return sort === undefined ? fetch(filter) : readAndSort(fetch, filter, sort)
}

/** A cursor of the database for the rows of `fetchRows`; undefined if it has none, or they are few, or read in another way. */
async function openCursor(read: Read, compiled: CompiledRead): Promise<AsyncIterable<readonly Row[]> | undefined> {
  const { collection, sort, filter } = compiled
  const { lock, fetch, call } = read
  const isPlain = !isPage(read) && (sort ?? lock ?? fetch) === undefined
  if (!isPlain || (filter.limit ?? Infinity) <= rowsOfPart) return undefined
  return collection.findInParts?.(connectorFilter(read, compiled), call)
}

async function* fetchParts(model: ModelType, read: Read, compiled: CompiledRead): AsyncGenerator<readonly Row[]> {
  const parts = await openCursor(read, compiled)
  const rows = parts === undefined ? await fetchRows(model, read, compiled) : []
  for (let at = 0; at < rows.length; at += rowsOfPart) yield rows.slice(at, at + rowsOfPart)
  if (parts !== undefined) yield* parts
}

/** Where the connector cannot order rows, all that match are read and cut to the page afterwards. */
async function readAndSort(
  fetch: NonNullable<Read['fetch']>,
  filter: Filter,
  sort: NonNullable<ResolvedFilter['sort']>
): Promise<readonly Row[]> {
  const { skip, limit = Infinity } = filter
  const rows = await sort(await fetch({ ...filter, limit: undefined, skip: 0, fields: undefined }))
  return rows.slice(skip, skip + limit)
}

/** The stored rows that match, for an internal step: nothing is included, and observers of `loaded` do not run. */
export async function readRows(model: ModelType, read: Read): Promise<readonly Row[]> {
  return fetchRows(model, read, await compileRead(model, read))
}

/** The records that match, including related ones. */
export async function readRecords(model: ModelType, read: Read): Promise<Records> {
  return recordsOf(model, read, await compileRead(model, read))
}

/** Like `readRecords`, for a response: the records of a list are read part by part, if the call takes them so and they are many. */
export async function readList(model: ModelType, read: Read): Promise<Records | PartedRecords> {
  const compiled = await compileRead(model, read)
  if (read.call.inParts !== true) return recordsOf(model, read, compiled)
  const parts = recordsInParts(model, read, compiled)
  const first = await parts.next()
  const second = await parts.next()
  if (first.done === true) return withRelated(model, read, compiled, [])
  return second.done === true ? first.value : new PartedRecords([first.value, second.value], parts)
}

async function* recordsInParts(model: ModelType, read: Read, compiled: CompiledRead): AsyncGenerator<Records> {
  for await (const stored of fetchParts(model, read, compiled))
    if (stored.length > 0) yield await withRelated(model, read, compiled, stored)
}

/** Compiles a read once, after observers of `access`; returns a function that runs it, as often as it is called. */
export async function compiledRead(model: ModelType, read: Read): Promise<() => Promise<Records>> {
  const compiled = await compileRead(model, read)
  return () => recordsOf(model, read, compiled)
}

async function recordsOf(model: ModelType, read: Read, compiled: CompiledRead): Promise<Records> {
  return withRelated(model, read, compiled, await fetchRows(model, read, compiled))
}

/** Records of stored rows, with what the filter includes. */
async function withRelated(
  model: ModelType,
  read: Read,
  compiled: CompiledRead,
  stored: readonly Row[]
): Promise<Records> {
  if (!compiled.includes) return shownRecords(model, read, compiled, { stored })
  const { call, restriction } = read
  const related = await loadRelated(model, { rows: stored, filter: compiled.filter, call, restriction })
  return shownRecords(model, read, compiled, { stored, related })
}

/** Rows that were read, with their related records. */
type Stored = Pick<RecordParts, 'related'> & { readonly stored: readonly Row[] }

async function shownRecords(
  model: ModelType,
  { call, restriction }: Read,
  { filter, asStored, hookState = {} }: CompiledRead,
  found: Stored
): Promise<Records> {
  const parts = { ...found, selected: filter.fields, readable: restriction?.readable }
  if (model.hooks.has('loaded')) return observed(model, parts, call, hookState)
  const { stored } = found
  const rows = asStored ? stored : stored.map((row) => completeRow(model, row))
  return new Records(model, { ...parts, rows, byInstances: model.hooks.requiresInstances })
}

/** Shows each row to the observers of `loaded`. */
async function observed(
  model: ModelType,
  parts: Omit<RecordParts, 'rows'> & Stored,
  call: Call,
  hookState: Record<string, unknown>
): Promise<Records> {
  const rows: Row[] = []
  for (const row of parts.stored)
    rows.push(completeRow(model, await announceLoaded(model, row, false, call, hookState)))
  return new Records(model, { ...parts, rows, byInstances: true })
}

/** The first of several as a single record; undefined if there is none. */
export const onlyFirst = (records: Records): Records | undefined =>
  records.rows.length === 0 ? undefined : records.pick([0], true)
