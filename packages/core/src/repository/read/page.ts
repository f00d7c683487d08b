import type { Filter, OrderClause } from '../../contract/condition.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { Row } from '../../contract/row.ts'
import { CursorAmbiguous, InvalidCursor } from '../../errors.ts'
import { isPlainObject } from '@modelwire/server'
import { readPath } from '../../values/read-path.ts'
import { compileWhere } from '../../filter/compile-where.ts'
import { whereOptions } from '../../filter/compile-filter.ts'
import { bothConditions } from '../../filter/default-scope.ts'
import { filterWithin } from '../../filter/restriction.ts'
import { findNear } from '../../filter/order.ts'
import type { PageFacts } from '../../contract/call.ts'
import type { PropertyType, ScalarKind } from '../../types/property-type.ts'
import { collectionOf, mayRepeatIds } from '../records/identify.ts'
import type { CompiledRead, Read } from './read.ts'

/** The place of a record in an order: its values by the paths of the clauses. */
export type Place = Readonly<Record<string, unknown>>

const keyOf = ({ path }: OrderClause): string => path.join('.')

/** The cursor of a record: its place in an order, as a string opaque to clients. */
export function cursorOf(row: Row, order: readonly OrderClause[]): string {
  const place = order.map((clause) => [keyOf(clause), readPath(row, clause.path) ?? null] as const)
  return Buffer.from(JSON.stringify(Object.fromEntries(place))).toString('base64url')
}

/**
 * The cursor of a filter as written, and its key; undefined if there is none.
 * @throws {InvalidCursor} it has two
 */
export function cursorIn(raw: unknown): readonly ['after' | 'before', unknown] | undefined {
  if (!isPlainObject(raw)) return undefined
  const [after, before] = [raw['after'] ?? undefined, raw['before'] ?? undefined]
  if (after !== undefined && before !== undefined) throw new InvalidCursor('after and before cannot be combined')
  if (after !== undefined) return ['after', after]
  return before === undefined ? undefined : ['before', before]
}

function decode(cursor: unknown): unknown {
  if (typeof cursor !== 'string') return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** True for values that a cursor may hold: what a filter would take for an operator is none. */
const isPlainValue = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Reads a cursor.
 * @param name of the key in the filter, for the message
 * @throws {InvalidCursor} it is none, or one of another order
 */
export function readCursor(name: string, cursor: unknown, order: readonly OrderClause[]): Place {
  const place = decode(cursor)
  if (!isPlainObject(place) || !Object.values(place).every(isPlainValue))
    throw new InvalidCursor(`${name} must be a cursor from a list`)
  const keys = order.map(keyOf)
  if (Object.keys(place).join() !== keys.join())
    throw new InvalidCursor(`${name} is a cursor of another order: start again with the first page`)
  return place
}

/** A step of an order with the value at which it continues. */
interface Step {
  readonly key: string
  readonly value: unknown
  readonly descending: boolean
  /** Records may have no value. */
  readonly isOptional: boolean
}

type Wire = Record<string, unknown>

const orAbsent = ({ key, descending, isOptional }: Step, where: Wire): Wire =>
  descending && isOptional ? { or: [where, { [key]: null }] } : where

/** What comes after the value; undefined where nothing can: what is absent comes last in a descending order. */
function beyond(step: Step): Wire | undefined {
  const { key, value, descending } = step
  if (value === null) return descending ? undefined : { [key]: { neq: null } }
  // false comes before true; not every database compares them.
  if (typeof value === 'boolean' && value === descending) return orAbsent(step, { [key]: !value })
  if (typeof value === 'boolean') return descending ? { [key]: null } : undefined
  return orAbsent(step, { [key]: { [descending ? 'lt' : 'gt']: value } })
}

/** A bound that an index can begin at; undefined where all records are within it. */
function notBefore(step: Step): Wire | undefined {
  const { key, value, descending } = step
  if (value === null) return descending ? { [key]: null } : undefined
  if (value === true && descending) return undefined
  if (value === false && !descending) return { [key]: { neq: null } }
  if (typeof value === 'boolean') return orAbsent(step, { [key]: value })
  return orAbsent(step, { [key]: { [descending ? 'lte' : 'gte']: value } })
}

const joined = (key: 'and' | 'or', parts: readonly (Wire | undefined)[]): Wire | undefined => {
  const present = parts.filter((part) => part !== undefined)
  return present.length > 1 ? { [key]: present } : present[0]
}

function whereBeyond([step, ...rest]: readonly Step[]): Wire | undefined {
  if (step === undefined) return undefined
  if (rest.length === 0) return beyond(step)
  return joined('and', [notBefore(step), joined('or', [beyond(step), whereBeyond(rest)])])
}

/**
 * The `where` for what comes after a place. The last clause must be of the key, which every record has.
 *
 * The first clause bounds all by itself, so that a database enters an index where the page begins.
 */
function whereAfter(order: readonly OrderClause[], place: Place): Wire {
  const steps = order.map((clause): Step => {
    const key = keyOf(clause)
    return { key, value: place[key], descending: clause.descending, isOptional: clause.absentFirst === true }
  })
  return whereBeyond(steps) ?? {}
}

/** How to read a page: from where, in which direction, and whether its ends get cursors. */
interface PagePlan {
  /** The whole order, ending with the key; undefined if it does not support cursors. */
  readonly order: readonly OrderClause[] | undefined
  readonly backwards: boolean
  /** The requested filter without the cursor. */
  readonly asked: Filter
  /** The filter to read: one record more than requested, if cursors are needed. */
  readonly filter: Filter
  /** The record before the page is read as well: it may have the place of the first one. */
  readonly readsBefore?: boolean
}

/** What comes behind a cursor is decided as the order is, by the collation of the column. */
const ofCallers = { options: {} }

const comparable: ReadonlySet<string> = new Set<ScalarKind>([
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'dateString'
])

/** True where clients of the read see the property that a clause orders by: a cursor shows its value. */
function isShown(model: ModelType, { call, restriction }: Read, name: string): boolean {
  if (call.client === undefined) return true
  return !model.hidden.has(name) && restriction?.readable?.has(name) !== false
}

function endsCursor(model: ModelType, read: Read, { path, type, related }: OrderClause): boolean {
  const [name = ''] = path
  return (
    related === undefined &&
    path.length === 1 &&
    type !== undefined &&
    (comparable.has(type.kind) || model.byName.get(name)?.id === true) &&
    isShown(model, read, name)
  )
}

const clauseOf = ({ name, type }: PropertyType): OrderClause => ({ path: [name], type, descending: false })

const nameOf = ({ path }: OrderClause): string => (path.length === 1 ? (path[0] ?? '') : '')

/** The clauses of the key: the id, and what else of it a cursor may name. Records have a value for each. */
async function keyClauses(model: ModelType, read: Read): Promise<readonly OrderClause[]> {
  const rest = (await model.dataSource?.connector.capabilities.keyBesideId?.(model)) ?? []
  return [...model.key.map(clauseOf), ...rest.map(clauseOf).filter((clause) => endsCursor(model, read, clause))]
}

/** The order with the key at its end; undefined where a clause has no place that a cursor could name. */
async function wholeOrder(
  model: ModelType,
  read: Read,
  compiled: CompiledRead
): Promise<readonly OrderClause[] | undefined> {
  const { filter, sort } = compiled
  const ids = model.keyNames
  if (ids.length === 0 || sort !== undefined || !ids.every((name) => isShown(model, read, name))) return undefined
  if (filter.order.length === 0 && findNear(filter.where) !== undefined) return undefined
  const key = await keyClauses(model, read)
  const inKey = new Set(key.map(nameOf))
  const asked = new Set(filter.order.map(nameOf))
  const all = [...filter.order, ...key.filter((clause) => !asked.has(nameOf(clause)))]
  const order = all.slice(0, all.findLastIndex((clause) => inKey.has(nameOf(clause))) + 1)
  if (!order.every((clause) => endsCursor(model, read, clause))) return undefined
  const isPresent = (name: string): boolean => inKey.has(name) || model.byName.get(name)?.required === true
  return order.map((clause) => (isPresent(nameOf(clause)) ? clause : { ...clause, absentFirst: true }))
}

const reversed = (order: readonly OrderClause[]): readonly OrderClause[] =>
  order.map((clause) => ({ ...clause, descending: !clause.descending }))

function withOrderOf(fields: Filter['fields'], order: readonly OrderClause[]): Filter['fields'] {
  return fields && new Set([...fields, ...order.map(({ path }) => path[0] ?? '')])
}

/** Plans a page. @throws {InvalidCursor} the cursor is none, or the order has none */
async function planPage(model: ModelType, read: Read, compiled: CompiledRead): Promise<PagePlan> {
  const asked = compiled.filter
  const cursor = cursorIn(read.filter)
  const isPaged = cursor !== undefined || read.call.page?.cursors === true
  const order = isPaged ? await wholeOrder(model, read, compiled) : undefined
  if (cursor === undefined && order === undefined) return { order: undefined, backwards: false, asked, filter: asked }
  if (order === undefined)
    throw new InvalidCursor(
      'cursor pagination requires an order by declared, single-valued properties that clients may see'
    )
  const backwards = cursor?.[0] === 'before'
  const direction = backwards ? reversed(order) : order
  const wire = cursor && whereAfter(direction, readCursor(...cursor, order))
  const afterCursor = wire && compileWhere(model, wire, { ...whereOptions(ofCallers), bounds: true })
  const { limit, fields, skip } = asked
  const readsBefore = skip > 0 && mayRepeatIds(model)
  const more = readsBefore ? 2 : 1
  const filter = {
    ...asked,
    skip: readsBefore ? skip - 1 : skip,
    where: bothConditions(asked.where, afterCursor),
    order: direction,
    limit: limit === undefined ? undefined : limit + more,
    fields: withOrderOf(fields, order)
  }
  return { order, backwards, asked, filter, readsBefore }
}

const isSamePlace = (row: Row | undefined, other: Row | undefined, order: readonly OrderClause[]): boolean =>
  row !== undefined && other !== undefined && cursorOf(row, order) === cursorOf(other, order)

/** Refuses a page that ends within records of one place. @throws {CursorAmbiguous} it does */
function checkEnd([last, next]: readonly Row[], order: readonly OrderClause[]): void {
  if (!isSamePlace(last, next, order)) return
  throw new CursorAmbiguous(
    `several records have the same ${order.map(keyOf).join(', ')}, so no cursor can name the end of this page: use skip`
  )
}

/**
 * The rows of a page in the order that was asked for, and the cursors of its ends; none for a start within records of one
 * place.
 */
function cutPage(read: Read, { order, backwards, asked, readsBefore = false }: PagePlan, all: readonly Row[]): Page {
  if (order === undefined) return { rows: all }
  const found = readsBefore ? all.slice(1) : all
  const isStartShared = readsBefore && isSamePlace(all[0], all[1], order)
  const { limit = Infinity, skip } = asked
  const page = found.slice(0, limit)
  const hasMore = found.length > page.length
  if (hasMore) checkEnd(found.slice(-2), order)
  const rows = backwards ? page.toReversed() : page
  const [first, last] = [rows[0], rows.at(-1)]
  const startsLater = cursorIn(read.filter) !== undefined || skip > 0
  const facts = {
    next: last !== undefined && (backwards ? !isStartShared : hasMore) ? cursorOf(last, order) : undefined,
    previous:
      first !== undefined && (backwards ? hasMore : startsLater && !isStartShared) ? cursorOf(first, order) : undefined
  }
  return { rows, facts }
}

interface Page {
  readonly rows: readonly Row[]
  readonly facts?: PageFacts
}

/** How many records match without a limit and a cursor; not counted again where the page holds them all. */
async function totalOf(model: ModelType, read: Read, { asked }: PagePlan, found: number): Promise<number> {
  const isAll = asked.skip === 0 && cursorIn(read.filter) === undefined && found < (asked.limit ?? Infinity)
  if (isAll) return found
  const { restriction, call } = read
  const { where } = restriction === undefined ? asked : filterWithin(restriction, asked)
  return collectionOf(model, 'count').count(where, call)
}

/**
 * Reads the rows of a page with `fetch`, which receives the filter to read, and reports the requested page facts to the
 * call.
 * @throws {InvalidCursor} the cursor is none, or the order has none
 * @throws {CursorAmbiguous} several records have the place where the page ends
 */
export async function readPage(
  model: ModelType,
  read: Read,
  compiled: CompiledRead,
  fetch: (filter: Filter) => Promise<readonly Row[]>
): Promise<readonly Row[]> {
  const plan = await planPage(model, read, compiled)
  const found = await fetch(plan.filter)
  const { rows, facts } = cutPage(read, plan, found)
  const { page } = read.call
  if (page === undefined) return rows
  page.facts = { ...facts }
  if (page.total) page.facts = { ...facts, total: await totalOf(model, read, plan, found.length) }
  return rows
}
