import { compilePredicate, isInclusive } from '@modelwire/core/connector'
import type { Comparison, Condition, Predicate, Row } from '@modelwire/core/connector'
import { sizeOf, slotsOf } from '../table/bucket.ts'
import type { Bucket } from '../table/bucket.ts'
import type { Column } from '../table/column.ts'
import type { Layout } from '../table/layout.ts'
import { stop } from '../table/sorted-map.ts'
import type { Table } from '../table/table.ts'
import type { Access, Range } from './access.ts'
import { usableSorted } from './candidates.ts'

/** A range of one index that covers a condition on its column, and the rest of the condition. */
export interface CountPlan {
  readonly column: Column
  readonly range: Required<Range>
  /** Undefined when the range covers all of it. */
  readonly rest: Predicate | undefined
}

/** Both ends of its range satisfy the test. */
const holdsEnds = (test: Comparison): boolean =>
  test.test === 'equals' || (test.test === 'range' && test.bounds.every(isInclusive))

/** Null stands at 0 among numbers but is in no range: only above 0 a range holds nothing but what is in it. */
function holdsNoNulls(column: Column, { low }: Range): boolean {
  return column.kind === 'string' || (typeof low === 'number' && low > 0)
}

/** The range of a column that one test leaves; undefined where it leaves none that an index knows. */
type ReadRange = (test: Comparison, column: Column) => Range | undefined

/** How matches can be counted through an index without looking at the indexed value again; undefined when they cannot. */
export function planCount(
  parts: readonly Condition[],
  ranges: Access['ranges'],
  layout: Layout,
  readRange: ReadRange
): CountPlan | undefined {
  for (const [column, range] of ranges) {
    const { low, high } = range
    if (low === undefined || high === undefined || !holdsNoNulls(column, range)) continue
    const ofColumn = (part: Condition): boolean =>
      part.kind === 'test' && part.path.length === 1 && part.path[0] === column.name
    const tests = parts.filter(ofColumn)
    const isInRange = (part: Condition): boolean =>
      part.kind === 'test' && holdsEnds(part) && readRange(part, column) !== undefined
    if (!tests.every(isInRange)) continue
    const conditions = parts.filter((part) => !ofColumn(part))
    const rest = conditions.length === 0 ? undefined : compilePredicate({ kind: 'and', conditions }, layout.predicates)
    return { column, range: { low, high }, rest }
  }
  return undefined
}

/** Counts through the index; undefined when more than `budget` rows lie in the range, or the index cannot be used. */
export function countInRange(table: Table, { column, range, rest }: CountPlan, budget: number): number | undefined {
  const sorted = usableSorted(table, column)
  if (sorted === undefined || range.low === undefined || range.high === undefined) return undefined
  let [seen, count] = [0, 0]
  sorted.tree.forRange(range.low, range.high, true, (_, bucket) => {
    seen += sizeOf(bucket)
    if (seen > budget) return stop
    count += rest === undefined ? sizeOf(bucket) : countBucket(table.rows, bucket, rest)
    return undefined
  })
  return seen > budget ? undefined : count
}

function countBucket(rows: readonly (Row | undefined)[], bucket: Bucket, rest: Predicate): number {
  if (typeof bucket === 'number') return matches(rows[bucket], rest)
  let count = 0
  for (const slot of slotsOf(bucket)) count += matches(rows[slot], rest)
  return count
}

const matches = (row: Row | undefined, rest: Predicate): number => (row !== undefined && rest(row) ? 1 : 0)
