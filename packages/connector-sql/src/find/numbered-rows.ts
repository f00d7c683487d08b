import type { Filter } from '@modelwire/core/connector'
import { sql, type Sql } from '../sql.ts'
import { rowCount } from './select-rows.ts'

/** The name under which rows have their place among those of one key. */
export const placeName = 'place of the row'

/** Rows of several keys, each key's rows ordered and cut by themselves. */
export interface KeyedRows {
  readonly filter: Filter
  /** Where the rows come from: a table, with a condition where there is one. */
  readonly from: Sql
  readonly key: Sql
  readonly columns: Sql
  /** ` order by …` within the rows of a key; empty where they have no order. */
  readonly order: Sql
}

/** True where the filter cuts the rows of each key. */
export function isPaged({ limit, skip }: Filter): boolean {
  return limit !== undefined || skip > 0
}

/** Selects rows with their place among those of their key, from 1, within the page of the filter. */
export function numberedRows({ filter, from, key, columns, order }: KeyedRows): Sql {
  const { skip, limit } = filter
  const place = sql`row_number() over (partition by ${key}${order}) as ${sql.id(placeName)}`
  const last = limit === undefined ? sql`` : sql` and ${sql.id(placeName)} <= ${sql.lit(rowCount(skip + limit))}`
  return sql`select ${columns}, ${sql.id(placeName)} from (select ${columns}, ${place} from ${from}) as numbered where ${sql.id(placeName)} > ${sql.lit(rowCount(skip))}${last}`
}
