import { sql, type Sql } from '../sql.ts'
import type { JsonContext } from './compile-json.ts'
import type { WrittenLevel } from './write-level.ts'
import { textName } from './write-object.ts'

/** Rows of a level whose texts are selected. */
export interface LevelTexts extends WrittenLevel {
  readonly alias: string
  /** Where the rows come from, if not from a table of the alias. */
  readonly from?: Sql
  /** What is selected besides. */
  readonly columns: readonly Sql[]
  /** The level has so many rows that their own columns need a look. */
  readonly isLong?: boolean
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
 * and these are at most one more than the bound: only a long list is looked at all the same.
 */
export function selectWithin(context: JsonContext, texts: LevelTexts): Sql {
  const { alias, from, columns, json, joins, counts, isLong = false } = texts
  const rows = sql`${from === undefined ? sql.id(alias) : sql`(${from}) as ${sql.id(alias)}`}${joins}`
  const hasRelations = counts.length > 0
  const count = sql.id(countName)
  const numbers = hasRelations ? [sql`${sql.join([sql`1`, ...counts], sql` + `)} as ${count}`] : []
  const tests = hasRelations || isLong ? testsOf(context, hasRelations ? [count] : []) : []
  if (tests.length === 0) return sql`select ${sql.join([...columns, ...numbers, sql`${json} as ${text}`])} from ${rows}`
  const each = sql`select ${sql.join([sql`${sql.id(alias)}.*`, sql`${json} as ${text}`, ...numbers])} from ${rows} offset 0`
  const checked = sql`case ${sql.join(tests, sql` `)} else ${text} end as ${text}`
  const counted = hasRelations ? [count] : []
  return sql`select ${sql.join([...columns, ...counted, checked])} from (${each}) as ${sql.id(alias)}`
}

/** The cases that fail; none where there is no bound. */
function testsOf(context: JsonContext, counts: readonly Sql[]): readonly Sql[] {
  const tooMany = counts.flatMap((count) => beyond(context, sql`sum(${count})`, 'rows'))
  return [...tooMany, ...beyond(context, sql`sum(octet_length(${text}))`, 'bytes')]
}

function beyond({ json, atMost }: JsonContext, sum: Sql, exceeded: 'rows' | 'bytes'): readonly Sql[] {
  const most = atMost?.[exceeded] ?? Infinity
  if (most === Infinity) return []
  return [sql`when ${sum} ${soFar} > ${sql.lit(most)} then ${json.refuse(text, exceeded)}`]
}
