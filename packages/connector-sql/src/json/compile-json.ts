import type { JsonQuery } from '@modelwire/core'
import { placeName } from '../find/numbered-rows.ts'
import { columnList, page as pageClause, selectRows } from '../find/select-rows.ts'
import { sql, type Sql } from '../sql.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { WhereContext } from '../where/compile-condition.ts'
import type { JsonDialect } from './json-dialect.ts'
import { apart, type Definitions, writeLevel, writeList } from './write-level.ts'

/** What statements that write records are compiled for. */
export interface JsonContext extends WhereContext {
  readonly json: JsonDialect
  readonly typesOf: (table: SqlTable) => ColumnTypes
}

/** The name of the outer rows. */
const root = 'r'

/**
 * The statement whose only row holds the text of the records as `json`: null where a value has no text. With `single` it has
 * no row where there is no record. Undefined where the database cannot write such records.
 */
export function compileJson(context: JsonContext, { filter, shape, single }: JsonQuery): Sql | undefined {
  const { table } = context
  const definitions: Sql[] = []
  const level = writeLevel(context, { table, alias: root, shape }, definitions)
  if (level === undefined) return undefined
  // The rows of the page come first: nothing is done for those that are skipped.
  const page = rowsOfPage(context, filter)
  if (definitions.length === 0) {
    const texts = sql`select ${level.json} as json from (${page}) as ${sql.id(root)}`
    return single ? texts : listTexts(texts, sql``)
  }
  const rows = sql`select page.*, row_number() over () as ${sql.id(placeName)} from (${page}) as page`
  const texts = sql`select ${level.json} as json, ${sql.id(root, placeName)} as place from ${sql.id(root)}${level.joins}`
  const all: Definitions = [sql`${sql.id(root)} as materialized (${rows})`, ...definitions]
  return sql`with ${sql.join(all)} ${single ? texts : listTexts(texts, sql` order by found.place`)}`
}

/**
 * The rows in their order. A long statement costs more to plan than to run, and it is planned again where that seems to pay
 * for another offset: the power of two above the page's end says how deep the page lies, so that the offset does not matter.
 */
function rowsOfPage(context: JsonContext, filter: JsonQuery['filter']): Sql {
  const { skip, limit } = filter
  const columns = columnList(context.table.columns)
  if (skip === 0 || limit === undefined) return selectRows(context, filter, columns).sql
  const upTo = { ...filter, skip: 0, limit: 2 ** Math.ceil(Math.log2(skip + limit)) }
  return sql`select upto.* from (${selectRows(context, upTo, columns).sql}) as upto${pageClause(context.dialect, filter)}`
}

function listTexts(texts: Sql, order: Sql): Sql {
  return sql`select '[' || ${writeList(sql`found.json`, order)} || ']' as json from (${texts}${apart}) as found`
}
