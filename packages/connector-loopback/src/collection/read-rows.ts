import {
  checkRowCount,
  compileOrder,
  compileCondition,
  type Condition,
  countWithin,
  type Filter,
  findNear,
  type Id,
  isSameKey,
  limitWithin,
  type OrderClause,
  type Row,
  sortByDistance
} from '@modelwire/core/connector'
import { ValueRefused } from '../errors.ts'
import { isPlainName } from '../where/push-test.ts'
import { type Pushed, type Where, isStorable } from '../where/push-condition.ts'
import { type CollectionContext, idNameOf } from './context.ts'

/** The rows that match, ordered and paginated by the filter. */
export async function findRows(context: CollectionContext, filter: Filter): Promise<Row[]> {
  const pushed = context.push(filter.where)
  if (pushed.kind === 'nothing') return []
  const page = await findPage(context, pushed, filter)
  if (page !== undefined) return countRows(page, filter)
  const found = await matchingRows(context, filter.where, pushed)
  return countRows(cutPage(context, found, filter), filter)
}

/** @throws {AnswerTooLarge} there are more rows than the filter allows, or they are larger */
function countRows(rows: Row[], { atMost }: Filter): Row[] {
  checkRowCount(rows.length, atMost)
  const count = countWithin(atMost)
  for (const row of rows) count(row)
  return rows
}

/** The page as the connector cuts it; undefined where it is not able to, or turns out to have done something else. */
async function findPage(context: CollectionContext, pushed: Pushed, filter: Filter): Promise<Row[] | undefined> {
  const order = orderOf(context, filter)
  if (pushed.kind === 'nothing' || !pushed.isExact || order === undefined) return undefined
  const where = pushed.kind === 'some' ? pushed.where : undefined
  const limit = limitWithin(filter)
  if (context.family !== 'other' && (filter.skip === 0 || limit !== undefined))
    return readOrNot(context, pageOf({ where, order, limit, skip: filter.skip }))
  // LB3: some databases skip nothing without a limit.
  if (context.family !== 'other')
    return (await readOrNot(context, pageOf({ where, order, limit, skip: 0 })))?.slice(filter.skip)
  // The connector may ignore `skip`: the page is cut here, and its rows are checked.
  const whole = limit === undefined ? undefined : limit + filter.skip
  const rows = await readRows(context, pageOf({ where, order, limit: whole, skip: 0 }))
  const isComplete = (whole === undefined || rows.length <= whole) && isInOrder(context, rows, filter)
  const predicate = filter.where && compileCondition(filter.where).matches
  if (!isComplete || (predicate !== undefined && !rows.every(predicate))) return undefined
  return rows.slice(filter.skip)
}

interface Page {
  readonly where: Where | undefined
  readonly order: readonly string[]
  readonly limit: number | undefined
  readonly skip: number
}

function pageOf({ where, order, limit, skip }: Page): Record<string, unknown> {
  return {
    ...(where !== undefined && { where }),
    ...(order.length > 0 && { order: [...order] }),
    ...(limit !== undefined && { limit }),
    ...(skip > 0 && { skip, offset: skip })
  }
}

/** Conditions with a value that its column does not take, such as a fraction for whole numbers, are tested in this process. */
async function readOrNot(context: CollectionContext, filter: Record<string, unknown>): Promise<Row[] | undefined> {
  try {
    return await readRows(context, filter)
  } catch (error) {
    if (error instanceof ValueRefused && !context.isInTransaction()) return undefined
    throw error
  }
}

async function readRows({ call, codec }: CollectionContext, filter: Record<string, unknown>): Promise<Row[]> {
  const [found] = await call('all', filter)
  return Array.isArray(found) ? found.map(codec.decode) : []
}

/** LoopBack's order, ended by the id; undefined where the connector does not support it. */
function orderOf(context: CollectionContext, { order, where }: Filter): readonly string[] | undefined {
  if (findNear(where) !== undefined || !order.every(isPlainClause)) return undefined
  const id = idNameOf(context)
  const clauses = order.map(({ path, descending }) => `${path[0] ?? ''} ${descending ? 'DESC' : 'ASC'}`)
  if (id === undefined || order.some(({ path }) => path[0] === id)) return clauses
  return isPlainName(id) ? [...clauses, `${id} ASC`] : undefined
}

const isPlainClause = ({ path, type, related }: OrderClause): boolean =>
  path.length === 1 && isPlainName(path[0] ?? '') && related === undefined && isOfOneValue(type)

const isOfOneValue = (type: OrderClause['type']): boolean =>
  type !== undefined && ['string', 'number', 'integer', 'boolean', 'date'].includes(type.kind)

function comparator(context: CollectionContext, order: readonly OrderClause[]): (a: Row, b: Row) => number {
  const id = idNameOf(context)
  return compileOrder(order, id === undefined ? undefined : [id])
}

function isInOrder(context: CollectionContext, rows: readonly Row[], { order }: Filter): boolean {
  const compare = comparator(context, order)
  return rows.every((row, at) => {
    const before = at === 0 ? undefined : rows[at - 1]
    return before === undefined || compare(before, row) <= 0
  })
}

/** Orders and cuts rows in this process. */
function cutPage(context: CollectionContext, rows: Row[], filter: Filter): Row[] {
  const { order, skip, where } = filter
  const near = findNear(where)
  const compare = comparator(context, near === undefined ? order : [])
  const sorted = context.family === 'relational' ? sortColumns(rows, compare) : rows.toSorted(compare)
  const limit = limitWithin(filter)
  const ordered = near === undefined ? sorted : sortByDistance(sorted, near)
  return ordered.slice(skip, limit === undefined ? undefined : skip + limit)
}

/** A null column counts as an absent value: both have one place. */
function sortColumns(rows: readonly Row[], compare: (a: Row, b: Row) => number): Row[] {
  const keyed = rows.map((row) => ({ row, key: withoutNulls(row) }))
  return keyed.toSorted((one, other) => compare(one.key, other.key)).map(({ row }) => row)
}

const withoutNulls = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]))

/** All rows that match: the connector filters as far as possible, and each row is tested. */
export async function matchingRows(
  context: CollectionContext,
  where: Condition | undefined,
  pushed = context.push(where)
): Promise<Row[]> {
  if (pushed.kind === 'nothing') return []
  const found = pushed.kind === 'some' ? await readOrNot(context, { where: pushed.where }) : undefined
  const rows = found ?? (await readRows(context, {}))
  if (where === undefined) return rows
  const rest = found === undefined ? where : untested(context, where)
  return rows.filter(compileCondition(context.test(rest)).matches)
}

/** The parts that the database has not decided already, which compares texts as the collations of its columns say. */
function untested(context: CollectionContext, where: Condition): Condition {
  if (context.family === 'other' || where.kind !== 'and') return where
  const conditions = where.conditions.filter((part) => {
    const pushed = context.push(part)
    return pushed.kind === 'nothing' || !pushed.isExact
  })
  return { ...where, conditions: conditions.map((part) => untested(context, part)) }
}

/** The row with an id. */
export async function findRow(context: CollectionContext, id: Id): Promise<Row | undefined> {
  const name = idNameOf(context)
  if (name === undefined || !isUsableId(id)) return undefined
  const find = (rows: readonly Row[] | undefined): Row | undefined => rows?.find((row) => isSameKey(row[name], id))
  const rows = await readOrNot(context, { where: { [name]: id }, limit: 1, offset: 0 })
  const found = find(rows)
  // Other rows show that the connector ignores the condition.
  if (found !== undefined || context.family !== 'other' || rows?.length === 0) return found
  return find(await readRows(context, {}))
}

function isUsableId(id: Id): boolean {
  if (typeof id === 'number') return Number.isFinite(id)
  return typeof id !== 'string' || isStorable(id)
}

/** Whether the database refuses a value in a condition, such as a number out of the range of ids. */
export async function isRefused(context: CollectionContext, where: Where): Promise<boolean> {
  if (context.isInTransaction()) return false
  try {
    await context.call('count', where)
    return false
  } catch (error) {
    return error instanceof ValueRefused
  }
}

/** The number of rows that match. */
export async function countRowsOf(context: CollectionContext, where: Condition | undefined): Promise<number> {
  const pushed = context.push(where)
  if (pushed.kind === 'nothing') return 0
  const canCount = pushed.isExact && context.hasMethod('count') && (context.family !== 'other' || where === undefined)
  if (!canCount) return (await matchingRows(context, where, pushed)).length
  try {
    const [count] = await context.call('count', pushed.kind === 'some' ? pushed.where : {})
    return Number(count)
  } catch (error) {
    if (!(error instanceof ValueRefused) || context.isInTransaction()) throw error
  }
  return (await matchingRows(context, where, pushed)).length
}
