import type { Filter } from '@modelwire/core'
import { allOf, sql, type Sql } from '../sql.ts'
import type { Column } from '../table/sql-table.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import { columnList, orderBy, rowCount } from './select-rows.ts'

/** The name under which rows have their place among those of one key. */
export const placeName = 'place of the row'

/** Rows of several keys, each key's rows ordered and cut by themselves. */
export interface KeyedRows {
  readonly filter: Filter
  /** Holds the key. */
  readonly column: Column
  /** True for rows that have one of the keys. */
  readonly key: Sql
  readonly columns: readonly Column[]
}

/** Selects rows with their place among those of their key, from 1, within the page that the filter asks for. */
export function numberedRows(context: WhereContext, { filter, column, key, columns }: KeyedRows): Sql {
  const { where, skip, limit } = filter
  const condition = where === undefined ? key : allOf([key, compileCondition(context, where)])
  const place = sql`row_number() over (partition by ${column.sql}${orderBy(context, filter)}) as ${sql.id(placeName)}`
  const rows = sql`select ${columnList(columns)}, ${place} from ${context.table.sql} where ${condition}`
  if (limit === undefined && skip === 0) return rows
  const last = limit === undefined ? sql`` : sql` and ${sql.id(placeName)} <= ${sql.lit(rowCount(skip + limit))}`
  return sql`select ${columnList(columns)}, ${sql.id(placeName)} from (${rows}) as numbered where ${sql.id(placeName)} > ${sql.lit(rowCount(skip))}${last}`
}
