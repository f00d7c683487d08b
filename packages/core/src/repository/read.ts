import type { Call } from '../contract/call.ts'
import type { Row } from '../contract/row.ts'
import type { Filter } from '../contract/condition.ts'
import { filterWithin } from '../filter/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ResolvedFilter } from '../contract/related-records.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { announceLoaded } from './announce.ts'
import { completeRow, completeRows } from './complete-row.ts'
import { readText } from './find-text.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter, refuseIncludes } from './load-related.ts'
import { compileQuery, type Query } from './read-plan.ts'
import { readSorted } from './read-sorted.ts'
import { type Answer, type RecordParts, Records, RecordsJson } from './records.ts'
import { resolveRelated } from './resolve-related.ts'

/** How records are read. */
export interface Read extends Query {
  readonly lock?: Filter['lock']
  /** Reads the rows in another way than by one call of `find`. */
  readonly fetch?: (filter: Filter) => Awaitable<readonly Row[]>
}

/** A read whose filter is compiled. */
interface Asked {
  readonly filter: Filter
  /** There where somebody else than the connector orders. */
  readonly sort: ResolvedFilter['sort']
  /** Shared by `access` and `loaded`. */
  readonly hookState: Record<string, unknown>
}

/** Compiles what is asked for, and refuses what the client may not include before anything is read. */
function ask(model: ModelType, read: Read): Awaitable<Asked> {
  // Check the capability first: NotImplemented takes precedence over InvalidFilter.
  collectionOf(model, 'find')
  const { call, restriction } = read
  return andThen(resolveRelated(model, read.filter, call, restriction), ({ filter: resolved, sort }) => {
    const hookState = {}
    const query = resolved === read.filter ? read : { ...read, filter: resolved }
    return andThen(compileQuery(model, query, hookState), (filter) =>
      andThen(refuseIncludes(model, { filter, call, restriction }), () => ({ filter, sort, hookState }))
    )
  })
}

function fetchRows(model: ModelType, read: Read, { filter, sort }: Asked): Awaitable<readonly Row[]> {
  const { call, restriction, lock, fetch = (reading: Filter) => collectionOf(model, 'find').find(reading, call) } = read
  const within = readingFilter(filterWithin(restriction, filter))
  return readSorted(fetch, lock === undefined ? within : { ...within, lock }, sort)
}

/** The stored rows that match, for a step of the server's own: nothing is included, and observers of `loaded` do not hear of them. */
export function readRows(model: ModelType, read: Read): Awaitable<readonly Row[]> {
  return andThen(ask(model, read), (asked) => fetchRows(model, read, asked))
}

/** The records that match, with what they include. */
export function readRecords(model: ModelType, read: Read): Awaitable<Records> {
  return andThen(ask(model, read), (asked) => recordsOf(model, read, asked))
}

/** Compiles a read once, as observers of `access` leave it, and hands over the function that carries it out. */
export function readAsked<Value>(
  model: ModelType,
  read: Read,
  use: (carryOut: () => Awaitable<Records>) => Awaitable<Value>
): Awaitable<Value> {
  return andThen(ask(model, read), (asked) => use(() => recordsOf(model, read, asked)))
}

function recordsOf(model: ModelType, read: Read, asked: Asked): Awaitable<Records> {
  const { filter, hookState } = asked
  const { call, restriction } = read
  return andThen(fetchRows(model, read, asked), (stored) =>
    andThen(loadRelated(model, { rows: stored, filter, call, restriction }), (related) => {
      const parts = { stored, related, asked: filter.fields, readable: restriction?.readable }
      if (model.hooks.has('loaded')) return observed(model, parts, call, hookState)
      return new Records(model, {
        ...parts,
        rows: completeRows(model, stored),
        byInstances: model.hooks.requiresInstances
      })
    })
  )
}

/** Shows each row to the observers of `loaded`. */
async function observed(
  model: ModelType,
  parts: Omit<RecordParts, 'rows'> & { readonly stored: readonly Row[] },
  call: Call,
  hookState: Record<string, unknown>
): Promise<Records> {
  const rows: Row[] = []
  for (const row of parts.stored)
    rows.push(completeRow(model, await announceLoaded(model, row, false, call, hookState)))
  return new Records(model, { ...parts, rows, byInstances: true })
}

/** The text that a database makes of what is asked for; undefined where records have to be read, null where `single` finds none. */
function textOf(
  model: ModelType,
  { call, restriction }: Read,
  { filter, sort }: Asked,
  single: boolean
): Awaitable<string | null | undefined> {
  if (sort !== undefined || call.writesJson !== true) return undefined
  return readText(model, filterWithin(restriction, filter), call, single)
}

/** The records that match, for a client: their JSON text where nobody else sees them and the database can make it. */
export function readForResponse(model: ModelType, read: Read): Awaitable<Answer> {
  return andThen(ask(model, read), (asked) =>
    andThen(textOf(model, read, asked, false), (text): Awaitable<Answer> => {
      return typeof text === 'string' ? new RecordsJson(model, text) : recordsOf(model, read, asked)
    })
  )
}

/** The first record that matches, in the same way; undefined where there is none. */
export function readOneForResponse(model: ModelType, read: Read): Awaitable<Answer | undefined> {
  return andThen(ask(model, read), (asked) =>
    andThen(textOf(model, read, asked, true), (text): Awaitable<Answer | undefined> => {
      if (text === null) return undefined
      return text === undefined ? andThen(recordsOf(model, read, asked), onlyFirst) : new RecordsJson(model, text)
    })
  )
}

/** The first of several by itself; undefined where there is none. */
export const onlyFirst = (records: Records): Records | undefined =>
  records.rows.length === 0 ? undefined : records.pick([0], true)
