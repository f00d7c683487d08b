import { compileWhere } from '../filter/compile-where.ts'
import { whereOptions } from '../filter/compile-filter.ts'
import { bothConditions } from '../filter/default-scope.ts'
import { filterWithin } from '../filter/restriction.ts'
import { findNear } from '../filter/sort-by-distance.ts'
import type { Filter, OrderClause } from '../contract/condition.ts'
import type { PageFacts } from '../contract/call.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { InvalidCursor } from '../errors.ts'
import type { ScalarKind } from '../types/value-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { cursorIn, cursorOf, mayBeAbsent, readCursor, whereAfter } from './cursor.ts'
import { collectionOf } from './identify.ts'
import type { CompiledRead, Read } from './read.ts'

/** How a page is read: from where, in which direction, and whether its ends get cursors. */
interface PagePlan {
  /** The whole order, ending with the id; undefined where no cursor can be made of it. */
  readonly order: readonly OrderClause[] | undefined
  readonly backwards: boolean
  /** What is asked for without the cursor. */
  readonly asked: Filter
  /** What is read: one record more than is asked for, where cursors are wanted. */
  readonly filter: Filter
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

/** The order with the id at its end; undefined where a clause has no place that a cursor could name. */
function wholeOrder(model: ModelType, read: Read, compiled: CompiledRead): readonly OrderClause[] | undefined {
  const { filter, sort } = compiled
  const id = model.idProperty
  if (id === undefined || sort !== undefined || !isShown(model, read, id.name)) return undefined
  if (filter.order.length === 0 && findNear(filter.where) !== undefined) return undefined
  const at = filter.order.findIndex(({ path }) => path[0] === id.name && path.length === 1)
  const order: readonly OrderClause[] =
    at < 0 ? [...filter.order, { path: [id.name], type: id.type, descending: false }] : filter.order.slice(0, at + 1)
  if (!order.every((clause) => endsCursor(model, read, clause))) return undefined
  return order.map((clause) => (mayBeAbsent(model, clause) ? { ...clause, absentFirst: true } : clause))
}

const reversed = (order: readonly OrderClause[]): readonly OrderClause[] =>
  order.map((clause) => ({ ...clause, descending: !clause.descending }))

function withOrderOf(fields: Filter['fields'], order: readonly OrderClause[]): Filter['fields'] {
  return fields && new Set([...fields, ...order.map(({ path }) => path[0] ?? '')])
}

/** Plans a page. @throws {InvalidCursor} the cursor is none, or the order has none */
function planPage(model: ModelType, read: Read, compiled: CompiledRead): PagePlan {
  const asked = compiled.filter
  const cursor = cursorIn(read.filter)
  const order = wholeOrder(model, read, compiled)
  if (cursor === undefined && (order === undefined || read.call.page?.cursors !== true))
    return { order: undefined, backwards: false, asked, filter: asked }
  if (order === undefined)
    throw new InvalidCursor(
      'pages by cursor need an order of declared properties with one value each, which clients may see'
    )
  const backwards = cursor?.[0] === 'before'
  const direction = backwards ? reversed(order) : order
  const wire = cursor && whereAfter(model, direction, readCursor(...cursor, order))
  const beyond = wire && compileWhere(model, wire, whereOptions(ofCallers))
  const { limit, fields } = asked
  const filter = {
    ...asked,
    where: bothConditions(asked.where, beyond),
    order: direction,
    limit: limit === undefined ? undefined : limit + 1,
    fields: withOrderOf(fields, order)
  }
  return { order, backwards, asked, filter }
}

/** The rows of a page in the order that was asked for, and the cursors of its ends. */
function cutPage(read: Read, { order, backwards, asked }: PagePlan, found: readonly Row[]): Page {
  if (order === undefined) return { rows: found }
  const { limit = Infinity, skip } = asked
  const page = found.slice(0, limit)
  const hasMore = found.length > page.length
  const rows = backwards ? page.toReversed() : page
  const [first, last] = [rows[0], rows.at(-1)]
  const startsLater = cursorIn(read.filter) !== undefined || skip > 0
  const facts = {
    next: last !== undefined && (backwards || hasMore) ? cursorOf(last, order) : undefined,
    previous: first !== undefined && (backwards ? hasMore : startsLater) ? cursorOf(first, order) : undefined
  }
  return { rows, facts }
}

interface Page {
  readonly rows: readonly Row[]
  readonly facts?: PageFacts
}

/** How many records match without a limit and a cursor; not counted again where the page holds them all. */
function totalOf(model: ModelType, read: Read, { asked }: PagePlan, found: number): Awaitable<number> {
  const isAll = asked.skip === 0 && cursorIn(read.filter) === undefined && found < (asked.limit ?? Infinity)
  if (isAll) return found
  const { restriction, call } = read
  const { where } = restriction === undefined ? asked : filterWithin(restriction, asked)
  return collectionOf(model, 'count').count(where, call)
}

/**
 * Reads the rows of a page by `fetch`, which gets the filter to read, and tells the call what it wants to know of it.
 * @throws {InvalidCursor} the cursor is none, or the order has none
 */
export function readPage(
  model: ModelType,
  read: Read,
  compiled: CompiledRead,
  fetch: (filter: Filter) => Awaitable<readonly Row[]>
): Awaitable<readonly Row[]> {
  const plan = planPage(model, read, compiled)
  return andThen(fetch(plan.filter), (found) => {
    const { rows, facts } = cutPage(read, plan, found)
    const { page } = read.call
    if (page === undefined) return rows
    page.facts = { ...facts }
    if (!page.total) return rows
    return andThen(totalOf(model, read, plan, found.length), (total) => {
      page.facts = { ...facts, total }
      return rows
    })
  })
}
