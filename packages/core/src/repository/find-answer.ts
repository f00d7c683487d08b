import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { bothFields, denyMissing, filterWithin } from '../filter/restriction.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { completeRow, completeRows } from './complete-row.ts'
import { filterById, isPlainRead, limitedToOne, toInstances } from './find.ts'
import { readText } from './find-text.ts'
import { Found, FoundText } from './found.ts'
import { collectionOf, toId } from './identify.ts'
import { type AskedFilter, type ReadBy, readResult, type Result, withFilter } from './run-query.ts'

/** Records on their way to a client: in the form in which they came. */
export type Answer = Found | FoundText | ModelInstance | ModelInstance[]

/**
 * The records that match, for an answer: their JSON text where the database can make it, else stored rows, or instances
 * where an observer of `loaded` wants to see each record.
 */
export function findAnswer(model: ModelType, filter: unknown, call: Call): Awaitable<Answer> {
  collectionOf(model, 'find')
  return withFilter(model, filter, { call, method: 'find' }, (asked) =>
    andThen(textOf(model, asked, call, false), (text) => {
      if (text !== undefined && text !== null) return new FoundText(model, text)
      return recordsOf(model, asked, call)
    })
  )
}

/** The first record that matches, for an answer; undefined when there is none. */
function findOneAnswer(model: ModelType, filter: unknown, { call, method }: ReadBy): Awaitable<Answer | undefined> {
  collectionOf(model, 'find')
  return withFilter(model, filter, { call, method }, (asked) =>
    andThen(textOf(model, asked, call, true), (text): Awaitable<Answer | undefined> => {
      if (text === null) return undefined
      if (text !== undefined) return new FoundText(model, text)
      return andThen(recordsOf(model, asked, call), onlyOne)
    })
  )
}

/** The JSON text that the database makes; undefined where records have to be read. */
function textOf(
  model: ModelType,
  asked: AskedFilter,
  call: Call,
  single: boolean
): Awaitable<string | null | undefined> {
  if (asked.sort !== undefined) return undefined
  return readText(model, filterWithin(asked.restriction, asked.filter), call, single)
}

function recordsOf(model: ModelType, asked: AskedFilter, call: Call): Awaitable<Found | ModelInstance[]> {
  const reading = readResult(model, { call, asRows: !model.hooks.has('loaded'), ...asked })
  return andThen(reading, (result) => toAnswer(model, result, call))
}

/** The result of a query for an answer; instances where an observer of `loaded` wants to see each record. */
export function toAnswer(model: ModelType, result: Result, call: Call): Awaitable<Found | ModelInstance[]> {
  if (model.hooks.has('loaded')) return toInstances(model, result, call)
  const rows = completeRows(model, result.rows)
  const fields = bothFields(result.filter.fields, result.readable)
  return new Found(model, { rows, fields, related: result.related }, false)
}

/** The first record that matches, for an answer; undefined when there is none. */
export function findFirstAnswer(model: ModelType, filter: unknown, call: Call): Awaitable<Answer | undefined> {
  return findOneAnswer(model, limitedToOne(filter), { call, method: 'findOne' })
}

/** The record with this id, for an answer; undefined when there is none. */
export function findAnswerById(
  model: ModelType,
  id: unknown,
  filter: unknown,
  call: Call
): Awaitable<Answer | undefined> {
  const key = toId(model, id)
  const method = 'findById'
  return andThen(restrictionFor(model, call, method), (restriction): Awaitable<Answer | undefined> => {
    const orDeny = (found: Answer | undefined): Answer | undefined => {
      if (found === undefined) denyMissing(restriction)
      return found
    }
    if (key === undefined) return orDeny(undefined)
    if (!isPlainRead(model, filter) || restriction !== undefined)
      return andThen(findOneAnswer(model, filterById(model, key, filter), { call, method }), orDeny)
    return andThen(collectionOf(model, method).findById(key, call), (row) => {
      return row && new Found(model, { rows: [completeRow(model, row)] }, true)
    })
  })
}

/** The first of several as an answer of its own. */
function onlyOne(found: Found | ModelInstance[]): Found | ModelInstance | undefined {
  if (Array.isArray(found)) return found[0]
  return found.rows.length === 0 ? undefined : new Found(found.model, found, true)
}
