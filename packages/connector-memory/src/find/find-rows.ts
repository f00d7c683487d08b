import {
  checkRowCount,
  limitWithin,
  sortByDistance,
  type Filter,
  type CompiledCondition,
  type Row,
  type RowComparator,
  type AggregateQuery,
  type Condition,
  createAggregation,
  type RelatedQuery,
  type TakeRow
} from '@modelwire/core/connector'
import type { Column } from '../table/column.ts'
import { type Table, currentLayout, slotOfId } from '../table/table.ts'
import { type Access, analyseCondition } from './access.ts'
import { findCandidates, smallTable, usableSorted, type Candidates, countLookup } from './candidates.ts'
import { findByNumber, countInRange } from './count-in-range.ts'
import { type FindPlan, type Page, planOrder } from './order-plan.ts'
import { readSlots } from './read-rows.ts'
import { scanInOrder } from './scan-in-order.ts'
import { findRelated } from './find-related.ts'
import { collectTop } from './collect-top.ts'

/** Reads one table. Filters and conditions are planned once: the plan is cached for as long as they exist. */
export interface Finder {
  find: (filter: Filter) => Row[]
  /** Undefined if no index has the rows of each key. */
  related: (query: RelatedQuery) => Row[][] | undefined
  count: (where: Condition | undefined) => number
  aggregate: (query: AggregateQuery) => Row[]
  /** The slots of the matching rows. */
  slots: (where: Condition | undefined) => number[]
}

/**
 * The rows of a filter, by the cheapest available access path.
 * @throws {AnswerTooLarge} there are more of them than the filter allows
 */
export function findRows(table: Table, filter: Filter, plan: FindPlan): Row[] {
  if (plan.access.matchesNothing) return []
  const rows = findPageOf(table, { skip: filter.skip, limit: limitWithin(filter) }, plan)
  checkRowCount(rows.length, filter.atMost)
  return rows
}

function findPageOf(table: Table, page: Page, plan: FindPlan): Row[] {
  if (plan.near === undefined) return findPage(table, page, plan)
  const rows = sortByDistance(findPage(table, { skip: 0 }, plan), plan.near)
  return rows.slice(page.skip, page.skip + (page.limit ?? Infinity))
}

function findPage(table: Table, page: Page, plan: FindPlan): Row[] {
  if (plan.byId && table.ascending && !startsAtId(page, plan)) return findBySlot(table, page, plan)
  return (plan.hasIndex ? findThroughIndex(table, page, plan) : undefined) ?? findAndSort(table, page, plan)
}

/** A page after an id: an index finds its start, while the slots before it would have to be passed one by one. */
function startsAtId(page: Page, { access, leading }: FindPlan): boolean {
  return page.limit !== undefined && leading !== undefined && access.ids === undefined && access.ranges.has(leading)
}

/** The slots are in the wanted order. */
function findBySlot(table: Table, page: Page, plan: FindPlan): Row[] {
  const { access, descending } = plan
  if (access.predicate === undefined && !descending && table.rows.length === table.size) return sliceTable(table, page)
  const collector = collectInOrder(page.skip, page.limit)
  const candidates = findCandidates(table, access, budgetOf(table, page))
  if (candidates !== undefined) readSlots(table, access, sortSlots(candidates, descending), collector.add)
  else access.scan(table.rows, descending, collector.add)
  return collector.finish()
}

function sortSlots({ slots, ascending }: Candidates, descending: boolean): Iterable<number> {
  if (ascending && !descending) return slots
  return [...slots].toSorted((a, b) => (descending ? b - a : a - b))
}

function sliceTable({ rows }: Table, { skip, limit = Infinity }: Page): Row[] {
  // There are as many rows as slots, so each slot holds one.
  return rows.slice(skip, skip + limit) as Row[]
}

/** Few candidates are sorted, then an index that has the order is read from its end; undefined when neither pays. */
function findThroughIndex(table: Table, page: Page, plan: FindPlan): Row[] | undefined {
  const { access, leading } = plan
  const isLimited = page.limit !== undefined
  const budget = isLimited ? budgetOf(table, page) : table.size / 3
  const candidates = findCandidates(table, access, budget, isLimited ? leading : undefined)
  if (candidates !== undefined) {
    const collector = collectSorted(plan.compare, page.skip, page.limit)
    readSlots(table, access, candidates.slots, collector.add)
    return collector.finish()
  }
  if (leading === undefined || table.rows.length <= smallTable) return undefined
  return isLimited || access.predicate === undefined ? readLeading(table, page, plan) : undefined
}

function readLeading(table: Table, page: Page, plan: FindPlan): Row[] | undefined {
  const { access, leading, descending } = plan
  const sorted = leading && usableSorted(table, leading)
  if (leading === undefined || sorted === undefined) return undefined
  const collector = collectInOrder(page.skip, page.limit)
  const scan = {
    sorted,
    descending,
    range: access.ranges.get(leading),
    compareEqual: plan.byId || (plan.leadsAlone && table.ascending) ? undefined : plan.compare,
    budget: access.predicate === undefined ? Infinity : table.size / 4
  }
  return scanInOrder(table, { predicate: predicateWithin(leading, access) }, scan, collector.add)
    ? collector.finish()
    : undefined
}

/** The rest of a condition for rows in the range of a column. */
function predicateWithin(column: Column, { counting, predicate }: Access): CompiledCondition['matches'] | undefined {
  return counting?.column === column ? counting.rest : predicate
}

function findAndSort(table: Table, page: Page, plan: FindPlan): Row[] {
  const { access, compare, numbers } = plan
  const isLarge = table.rows.length > smallTable
  if (isLarge && numbers !== undefined && page.limit !== undefined) return findByNumber(table, page, plan, numbers)
  const collector = collectSorted(compare, page.skip, page.limit)
  access.scan(table.rows, false, collector.add)
  return collector.finish()
}

/**
 * How many rows an index may yield. Reading rows in order until a page is full looks at about `size * page / matches` of
 * them, reading all matches through an index at `matches`: the two are equal at the root of `size * page`.
 */
function budgetOf(table: Table, { skip, limit = Infinity }: Page): number {
  return Math.max(smallTable, Math.min(table.size / 3, Math.sqrt(table.size * (skip + limit))))
}

/** Collects rows until it has enough. */
interface RowCollector {
  /** False if no more rows are needed. */
  add: (row: Row) => boolean
  finish: () => Row[]
}

/** Collects rows that come in the wanted order: leaves the first `skip` out and stops after `limit` more. */
function collectInOrder(skip: number, limit = Infinity): RowCollector {
  const rows: Row[] = []
  let skipped = 0
  return {
    add(row) {
      if (skipped < skip) skipped++
      else rows.push(row)
      return rows.length < limit
    },
    finish: () => rows
  }
}

/** Collects rows that come in any order. */
function collectSorted(compare: RowComparator, skip: number, limit: number | undefined): RowCollector {
  const top = collectTop(compare, skip, limit)
  return {
    add(row) {
      top.add(row)
      return true
    },
    finish: top.finish
  }
}

/** Makes the finder of a table. */
export function createFinder(table: Table): Finder {
  const plans = new WeakMap<Filter, FindPlan>()
  const accesses = new WeakMap<Condition, Access>()
  const accessOf = (where: Condition | undefined): Access => {
    const layout = currentLayout(table)
    if (where === undefined) return analyseCondition(where, layout)
    const cached = accesses.get(where)
    if (cached?.layout === layout) return cached
    const access = analyseCondition(where, layout)
    accesses.set(where, access)
    return access
  }
  const planOf = (filter: Filter): FindPlan => {
    const cached = plans.get(filter)
    if (cached?.access.layout.properties === table.model.properties) return cached
    const plan = planOrder(filter, accessOf(filter.where))
    plans.set(filter, plan)
    return plan
  }
  return {
    find: (filter) => findRows(table, filter, planOf(filter)),
    related: (query) => findRelated(table, query, planOf),
    count: (where) => (where === undefined ? table.size : countMatches(table, accessOf(where))),
    aggregate: (query) => aggregateMatches(table, accessOf(query.where), query),
    slots: (where) => slotsOfOneId(table, where, accessOf) ?? listMatches(table, accessOf(where))
  }
}

/**
 * The row that a condition on one id leaves, without planning anything: most updates and deletions are of one record. What
 * else must hold is tested part by part, since the parts of a patch's condition are the same for all records.
 */
function slotsOfOneId(
  table: Table,
  where: Condition | undefined,
  accessOf: (part: Condition) => Access
): number[] | undefined {
  if (where === undefined) return undefined
  const [first, ...others] = where.kind === 'and' ? where.conditions : [where]
  if (first?.kind !== 'test' || first.test !== 'equals' || first.negated === true || first.path.length !== 1)
    return undefined
  const { value } = first
  if (first.path[0] !== currentLayout(table).id?.name || value === null || value === undefined || Array.isArray(value))
    return undefined
  const slot = slotOfId(table, value)
  const row = slot === undefined ? undefined : table.rows[slot]
  if (slot === undefined || row === undefined) return []
  return others.every((part) => accessOf(part).predicate?.(row) !== false) ? [slot] : []
}

function countMatches(table: Table, access: Access): number {
  if (access.matchesNothing) return 0
  if (access.predicate === undefined) return table.size
  return countThroughIndex(table, access) ?? countRows(table, access)
}

function countRows(table: Table, access: Access): number {
  let count = 0
  readMatches(table, access, () => ++count > 0)
  return count
}

function countThroughIndex(table: Table, { isLookup, lookups, counting }: Access): number | undefined {
  if (table.size <= smallTable) return undefined
  const [lookup] = lookups
  if (isLookup && lookup !== undefined) return countLookup(table, lookup)
  return counting === undefined || lookup !== undefined ? undefined : countInRange(table, counting, table.size / 3)
}

/** Each row is added where it lies. */
function aggregateMatches(table: Table, access: Access, query: AggregateQuery): Row[] {
  const { add, result } = createAggregation(query)
  const take: TakeRow = (row) => {
    add(row)
    return true
  }
  if (!access.matchesNothing) readMatches(table, access, take)
  return result()
}

function listMatches(table: Table, access: Access): number[] {
  const slots: number[] = []
  if (!access.matchesNothing) readMatches(table, access, (_, slot) => slots.push(slot) > 0)
  return slots
}

function readMatches(table: Table, access: Access, take: TakeRow): void {
  const candidates = findCandidates(table, access, table.size / 3)
  if (candidates === undefined) access.scan(table.rows, false, take)
  else readSlots(table, access, candidates.slots, take)
}
