import { sql, type Sql } from '../sql.ts'
import type { JsonContext } from './compile-json.ts'
import type { WrittenLevel } from './write-level.ts'
import { textName } from './write-object.ts'

/** Rows of a level whose texts are selected. */
export interface LevelTexts extends WrittenLevel {
  readonly alias: string
  /** What is selected besides. */
  readonly columns: readonly Sql[]
}

const text = sql.id(textName)

/** The name under which texts of rows that include others have how many records are in them. */
export const countName = 'number of records'

/** How many records are in some of the texts of a level. */
export const countRecords = ({ counts }: Pick<WrittenLevel, 'counts'>): Sql =>
  counts.length === 0 ? sql`count(*)` : sql`coalesce(sum(${sql.id(countName)}), 0)`

/** All rows so far: a window of this kind is read once, and nothing of it is kept. */
const soFar = sql`over (rows unbounded preceding)`

/**
 * Selects the texts of the rows of a level, where it has relations with the numbers of records in them, and fails as soon as
 * those that were written so far exceed the bounds, in bytes or in records.
 *
 * Only here can an answer multiply: a text of related records is made once for each key, but is written into every row that
 * holds the key, and what comes of that is written into the rows of the next level. Failing at the first row beyond the bound
 * keeps every level small: the texts before that row are within the bound, and so is each text that the row itself is made
 * of, for it comes from a level that did not fail. So no level writes more than the bound times the number of its relations
 * and one, besides its own columns, however many levels there are. A level without relations writes each of its rows once,
 * and these are at most one more than the bound.
 */
export function selectWithin(context: JsonContext, texts: LevelTexts): Sql {
  const { alias, columns, json, joins, counts } = texts
  const [rows, written] = [sql`${sql.id(alias)}${joins}`, sql`${json} as ${text}`]
  if (counts.length === 0) return sql`select ${sql.join([...columns, written])} from ${rows}`
  const count = sql.id(countName)
  const number = sql`${sql.join([sql`1`, ...counts], sql` + `)} as ${count}`
  // The cases that fail; none where there is no bound.
  const tests = [
    ...beyond(context, sql`sum(${count})`, 'rows'),
    ...beyond(context, sql`sum(octet_length(${text}))`, 'bytes')
  ]
  if (tests.length === 0) return sql`select ${sql.join([...columns, number, written])} from ${rows}`
  const each = sql`select ${sql.join([sql`${sql.id(alias)}.*`, written, number])} from ${rows} offset 0`
  const checked = sql`case ${sql.join(tests, sql` `)} else ${text} end as ${text}`
  return sql`select ${sql.join([...columns, count, checked])} from (${each}) as ${sql.id(alias)}`
}

function beyond({ json, atMost }: JsonContext, sum: Sql, exceeded: 'rows' | 'bytes'): readonly Sql[] {
  const most = atMost?.[exceeded] ?? Infinity
  if (most === Infinity) return []
  return [sql`when ${sum} ${soFar} > ${sql.lit(most)} then ${json.refuse(text, exceeded)}`]
}
