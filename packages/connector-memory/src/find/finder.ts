import {
  type AggregateQuery,
  type Condition,
  createAggregation,
  type Filter,
  type RelatedQuery,
  type Row,
  type TakeRow
} from '@modelwire/core/connector'
import { currentLayout, slotOfId } from '../table/table.ts'
import type { Table } from '../table/table.ts'
import { analyseCondition } from './access.ts'
import type { Access } from './access.ts'
import { countInRange } from './count-in-range.ts'
import { countLookup, findCandidates, smallTable } from './candidates.ts'
import { findRelated } from './find-related.ts'
import { findRows } from './find-rows.ts'
import { planOrder } from './order-plan.ts'
import type { FindPlan } from './order-plan.ts'
import { readSlots } from './read-rows.ts'

/** Reads one table. Filters and conditions are planned once: the plan is kept as long as they are. */
export interface Finder {
  find: (filter: Filter) => Row[]
  /** Undefined where no index has the rows of each key. */
  related: (query: RelatedQuery) => Row[][] | undefined
  count: (where: Condition | undefined) => number
  aggregate: (query: AggregateQuery) => Row[]
  /** Where the matching rows are. */
  slots: (where: Condition | undefined) => number[]
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
    slots: (where) => slotsOfOneId(table, where) ?? listMatches(table, accessOf(where))
  }
}

/** The row that a condition on the id alone leaves, without planning anything: most updates and deletions are of one record. */
function slotsOfOneId(table: Table, where: Condition | undefined): number[] | undefined {
  if (where?.kind !== 'test' || where.test !== 'equals' || where.negated === true || where.path.length !== 1)
    return undefined
  const { value } = where
  if (where.path[0] !== currentLayout(table).id?.name || value === null || value === undefined || Array.isArray(value))
    return undefined
  const slot = slotOfId(table, value)
  return slot === undefined ? [] : [slot]
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
