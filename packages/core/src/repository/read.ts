import type { Call } from '../contract/call.ts'
import type { Row } from '../contract/row.ts'
import type { Filter } from '../contract/condition.ts'
import { filterWithin } from '../filter/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ResolvedFilter } from '../contract/related-records.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { announceLoaded } from './announce.ts'
import { completeRow } from './complete-row.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter, refuseIncludes } from './load-related.ts'
import { readPage } from './page.ts'
import { compileQuery, keptPlan, type Query, type ReadPlan } from './read-plan.ts'
import { type RecordParts, Records } from './records.ts'
import { resolveRelated } from './resolve-related.ts'

/** How records are read. */
export interface Read extends Query {
  readonly lock?: Filter['lock']
  /** Reads the rows in another way than by one call of `find`. */
  readonly fetch?: (filter: Filter) => Awaitable<readonly Row[]>
  /** It is the list that the call is about: its filter may hold a cursor, and `page` of the call is about it. */
  readonly isList?: boolean
}

/** A read whose filter is compiled. */
export interface CompiledRead extends ReadPlan {
  /** Present where the connector cannot order. */
  readonly sort?: ResolvedFilter['sort']
  /** Shared by `access` and `loaded`; absent where `access` is not observed. */
  readonly hookState?: Record<string, unknown>
}

/** Compiles a read, unless that was done before, and refuses includes that the client may not use before anything is read. */
function compileRead(model: ModelType, read: Read): Awaitable<CompiledRead> {
  return andThen(keptPlan(model, read) ?? compileAnew(model, read), (compiled) => {
    if (!compiled.includes) return compiled
    return andThen(refuseIncludes(model, { ...read, filter: compiled.filter }), () => compiled)
  })
}

function compileAnew(model: ModelType, read: Read): Awaitable<CompiledRead> {
  // Check the capability first: NotImplemented takes precedence over InvalidFilter.
  collectionOf(model, 'find')
  const { call, restriction } = read
  return andThen(resolveRelated(model, read.filter, call, restriction), ({ filter: resolved, sort }) => {
    const hookState = {}
    const query = resolved === read.filter ? read : { ...read, filter: resolved }
    return andThen(compileQuery(model, query, hookState), (plan) => ({ ...plan, sort, hookState }))
  })
}

/** True where a read is one of a page: it starts at a cursor, or more than the records is wanted. */
function isPage({ filter, call, isList }: Read): boolean {
  if (isList !== true) return false
  return call.page !== undefined || (isPlainObject(filter) && (filter['after'] ?? filter['before'] ?? null) !== null)
}

function fetchRows(model: ModelType, read: Read, compiled: CompiledRead): Awaitable<readonly Row[]> {
  if (isPage(read))
    return readPage(model, read, compiled, (filter) =>
      fetchRows(model, { ...read, isList: false }, { ...compiled, filter })
    )
  const { collection, includes, sort } = compiled
  const { call, restriction, lock, fetch = (filter) => collection.find(filter, call) } = read
  const within = restriction === undefined ? compiled.filter : filterWithin(restriction, compiled.filter)
  const reading = includes ? readingFilter(within) : within
  const locking = lock === undefined ? reading : { ...reading, lock }
  return sort === undefined ? fetch(locking) : readAndSort(fetch, locking, sort)
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

/**
 * The stored rows that match, for a step of the server's own: nothing is included, and observers of `loaded` do not
 * run.
 */
export function readRows(model: ModelType, read: Read): Awaitable<readonly Row[]> {
  return andThen(compileRead(model, read), (compiled) => fetchRows(model, read, compiled))
}

/** The records that match, with what they include. */
export function readRecords(model: ModelType, read: Read): Awaitable<Records> {
  return andThen(compileRead(model, read), (compiled) => recordsOf(model, read, compiled))
}

/** Compiles a read once, as observers of `access` leave it, and calls `use` with the function that runs it. */
export function withCompiledRead<Value>(
  model: ModelType,
  read: Read,
  use: (carryOut: () => Awaitable<Records>) => Awaitable<Value>
): Awaitable<Value> {
  return andThen(compileRead(model, read), (compiled) => use(() => recordsOf(model, read, compiled)))
}

function recordsOf(model: ModelType, read: Read, compiled: CompiledRead): Awaitable<Records> {
  return andThen(fetchRows(model, read, compiled), (stored) => {
    if (!compiled.includes) return shownRecords(model, read, compiled, { stored })
    const { call, restriction } = read
    return andThen(loadRelated(model, { rows: stored, filter: compiled.filter, call, restriction }), (related) =>
      shownRecords(model, read, compiled, { stored, related })
    )
  })
}

/** Rows that were read, and what lies beside them. */
type Stored = Pick<RecordParts, 'related'> & { readonly stored: readonly Row[] }

function shownRecords(
  model: ModelType,
  { call, restriction }: Read,
  { filter, asStored, hookState = {} }: CompiledRead,
  found: Stored
): Awaitable<Records> {
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

/** The first of several by itself; undefined where there is none. */
export const onlyFirst = (records: Records): Records | undefined =>
  records.rows.length === 0 ? undefined : records.pick([0], true)
