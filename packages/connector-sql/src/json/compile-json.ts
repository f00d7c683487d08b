import { constants } from 'node:buffer'
import { limitWithin, type AnswerBounds, type JsonQuery } from '@modelwire/core/connector'
import { placeName } from '../find/numbered-rows.ts'
import { columnList, page as pageClause, selectRows } from '../find/select-rows.ts'
import { sql, type Sql } from '../sql.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { WhereContext } from '../where/compile-condition.ts'
import type { JsonDialect } from './json-dialect.ts'
import { countName, countRecords, selectWithin } from './select-within.ts'
import { apart, type Definitions, writeLevel, writeList, type WrittenLevel } from './write-level.ts'
import { textName } from './write-object.ts'

/** What statements that write records are compiled for. */
export interface JsonContext extends WhereContext {
  readonly json: JsonDialect
  readonly typesOf: (table: SqlTable) => ColumnTypes
  /** Absent where the answer may be as large as a text can be. */
  readonly atMost?: AnswerBounds | undefined
}

/** The name of the outer rows. */
const root = 'r'

/** What compiling needs besides the query, which has the limit of the answer. */
export type CompileContext = Omit<JsonContext, 'atMost'>

/**
 * The statement whose only row holds the text of the records as `json`: null where a value has no text. With `single` it has
 * no row where there is no record. It fails where the text exceeds the bounds of the filter, or is longer than any text of the
 * process can be. Undefined where the database cannot write such records.
 */
export function compileJson(outside: CompileContext, { filter, shape, single }: JsonQuery): Sql | undefined {
  const context = { ...outside, atMost: filter.atMost }
  const { table } = context
  const definitions: Sql[] = []
  const level = writeLevel(context, { table, alias: root, shape }, definitions)
  if (level === undefined) return undefined
  // The rows of the page come first: nothing is done for those that are skipped.
  const page = rowsOfPage(context, filter)
  const rows = sql`select page.*, row_number() over () as ${sql.id(placeName)} from (${page}) as page`
  const texts = selectWithin(context, { ...level, alias: root, columns: [sql.id(root, placeName)] })
  const all: Definitions = [sql`${sql.id(root)} as materialized (${rows})`, ...definitions]
  const answer = single ? checkText(context, texts) : checkList(context, listTexts(level, texts))
  return sql`with ${sql.join(all)} ${answer}`
}

/**
 * The rows in their order. A long statement costs more to plan than to run, and it is planned again where that seems to
 * pay for another offset: the page's depth is rounded to a power of two, so that the offset does not matter.
 */
function rowsOfPage(context: JsonContext, filter: JsonQuery['filter']): Sql {
  const { skip } = filter
  const limit = limitWithin(filter)
  const columns = columnList(context.table.columns)
  if (skip === 0 || limit === undefined) return selectRows(context, filter, columns).sql
  const upTo = { ...filter, atMost: undefined, skip: 0, limit: 2 ** Math.ceil(Math.log2(skip + limit)) }
  return sql`select upto.* from (${selectRows(context, upTo, columns).sql}) as upto${pageClause(context.dialect, filter)}`
}

const text = sql.id(textName)
const count = sql.id(countName)

/** One row: the text of the list, and how many records it has. */
function listTexts(level: WrittenLevel, texts: Sql): Sql {
  const order = sql` order by found.${sql.id(placeName)}`
  return sql`select '[' || ${writeList(sql`found.${text}`, order)} || ']' as ${text}, ${countRecords(level)} as ${count} from (${texts}${apart}) as found`
}

/** The text of a list, unless it has too many records or is too long to be sent. */
function checkList(context: JsonContext, list: Sql): Sql {
  const { json, atMost } = context
  const { rows = Infinity } = atMost ?? {}
  const isTooMany = rows < Infinity ? sql`when ${count} > ${sql.lit(rows)} then ${json.refuse(text, 'rows')} ` : sql``
  return sql`select case ${isTooMany}${unlessTooLong(context)} end as json from (${list}) as answer`
}

/** The text of the only record, unless it is too long to be sent. */
function checkText(context: JsonContext, texts: Sql): Sql {
  return sql`select case ${unlessTooLong(context)} end as json from (${texts}${apart}) as answer`
}

function unlessTooLong({ json, atMost }: JsonContext): Sql {
  const most = sql.lit(Math.min(atMost?.bytes ?? Infinity, constants.MAX_STRING_LENGTH))
  return sql`when octet_length(${text}) > ${most} then ${json.refuse(text, 'bytes')} else ${text}`
}
