import { checkRowCount, type Filter, type RelatedQuery, type Row } from '@modelwire/core/connector'
import { slotsOf } from '../table/bucket.ts'
import { buildHash, type Column, columnKey, isUsable } from '../table/column.ts'
import { currentLayout, slotOfId, type Table } from '../table/table.ts'
import type { FindPlan } from './order-plan.ts'

/** Finds the slots of the rows with a key. */
type SlotsOfKey = (key: unknown) => Iterable<number>

function slotsOfId(table: Table): SlotsOfKey {
  return (key) => {
    const slot = slotOfId(table, key)
    return slot === undefined ? [] : [slot]
  }
}

/** Undefined where a row holds a value of another type, which the index does not know. */
function slotsByHash(table: Table, column: Column | undefined): SlotsOfKey | undefined {
  if (column === undefined || column.kind === 'other') return undefined
  const hash = column.hash ?? buildHash(column, table.rows)
  if (!isUsable(column)) return undefined
  return (key) => {
    const columnValue = columnKey(column.kind, key)
    return columnValue === undefined ? [] : slotsOf(hash.get(columnValue))
  }
}

function readKey(table: Table, slots: Iterable<number>, { access, byId, compare }: FindPlan): Row[] {
  const rows: Row[] = []
  const { predicate } = access
  for (const slot of slots) {
    const row = table.rows[slot]
    if (row === undefined || (predicate !== undefined && !predicate(row))) continue
    rows.push(row)
  }
  return rows.length < 2 || (byId && table.ascending) ? rows : rows.toSorted(compare)
}

/**
 * The rows of each key through the index of `property`, without reading any other row; undefined if it has no usable index.
 * @throws {AnswerTooLarge} all keys together have more rows than the filter allows
 */
export function findRelated(
  table: Table,
  query: RelatedQuery,
  planOf: (filter: Filter) => FindPlan
): Row[][] | undefined {
  const { keys, property, filter } = query
  const { id, columns } = currentLayout(table)
  const slots = property === id?.name ? slotsOfId(table) : slotsByHash(table, columns.get(property))
  const plan = planOf(filter)
  if (slots === undefined || plan.near !== undefined || (plan.byId && plan.descending)) return undefined
  if (plan.access.matchesNothing) return keys.map(() => [])
  const { skip, limit = Infinity, atMost } = filter
  const isWhole = skip === 0 && limit === Infinity
  let count = 0
  return keys.map((key) => {
    const rows = readKey(table, slots(key), plan)
    const page = isWhole ? rows : rows.slice(skip, skip + limit)
    checkRowCount((count += page.length), atMost)
    return page
  })
}
