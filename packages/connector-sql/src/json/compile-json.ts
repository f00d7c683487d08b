import type { JsonQuery, JsonShape, RelatedJson } from '@modelwire/core'
import { orderBy, page, selectRows } from '../find/select-rows.ts'
import { numberedRows, placeName } from '../find/numbered-rows.ts'
import { sql, type Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import type { JsonDialect } from './json-dialect.ts'
import { type ColumnTypes, writeMember, writeObject } from './write-object.ts'

/** What statements that write records are compiled for. */
export interface JsonContext extends WhereContext {
  readonly json: JsonDialect
  readonly typesOf: (table: SqlTable) => ColumnTypes
}

/**
 * The statement whose only row holds the text of the records as `json`: null where a value has no text. With `single` it has
 * no row where there is no record. Undefined where the database cannot write such records.
 */
export function compileJson(context: JsonContext, query: JsonQuery): Sql | undefined {
  return query.shape.related.length === 0 ? compileFlat(context, query) : compileNested(context, query)
}

/** Keeps a select by itself, so that the text of each of its rows, which is used twice, is made once. */
const apart = sql` offset 0`

const listOf = (rows: Sql, order: Sql): Sql =>
  sql`select case when count(*) = count(found.json) then '[' || coalesce(string_agg(found.json, ','${order}), '') || ']' end as json from ${rows} as found`

function compileFlat(context: JsonContext, { filter, shape, single }: JsonQuery): Sql | undefined {
  const { json, table } = context
  const text = writeObject({ dialect: json, table, types: context.typesOf(table), alias: undefined }, shape, [])
  if (text === undefined) return undefined
  const rows = selectRows(context, filter, sql`${text} as json`).sql
  const isPaged = filter.limit !== undefined || filter.skip > 0
  return single ? rows : listOf(sql`(${rows}${isPaged ? sql`` : apart})`, sql``)
}

/** Tables of a statement that are defined before it. */
type Definitions = Sql[]

function compileNested(context: JsonContext, { filter, shape, single }: JsonQuery): Sql | undefined {
  const { table } = context
  const order = orderBy(context, filter)
  const root = 'r'
  const rows = sql`select ${allColumns(table)}, row_number() over (${order}) as ${sql.id(placeName)} from ${table.sql}${whereOf(context, filter.where)}${order}${page(context.dialect, filter)}`
  const definitions: Definitions = [sql`${sql.id(root)} as materialized (${rows})`]
  const text = writeLevel(context, { table, alias: root, shape }, definitions)
  if (text === undefined) return undefined
  const all = sql`select ${text.json} as json, ${sql.id(root, placeName)} as place from ${sql.id(root)}${text.joins}`
  const written = single ? all : listOf(sql`(${all}${apart})`, sql` order by found.place`)
  return sql`with ${sql.join(definitions)} ${written}`
}

interface Level {
  readonly table: SqlTable
  readonly alias: string
  readonly shape: JsonShape
}

interface WrittenLevel {
  readonly json: Sql
  readonly joins: Sql
}

/** The text of the rows of a level, with the tables below it that it joins. */
function writeLevel(context: JsonContext, level: Level, definitions: Definitions): WrittenLevel | undefined {
  const { table, alias, shape } = level
  const below = shape.related.map((related, at) => joinBelow(context, level, related, { at, definitions }))
  const [members, joins]: [Sql[], Sql[]] = [[], []]
  for (const joined of below) {
    if (joined === undefined) return undefined
    members.push(joined.member)
    joins.push(joined.join)
  }
  const json = writeObject({ dialect: context.json, table, types: context.typesOf(table), alias }, shape, members)
  return json && { json, joins: sql.join(joins, sql``) }
}

/** Defines the texts of related records by their key: one table for the rows, one for their texts. */
function joinBelow(
  context: JsonContext,
  { table: outer, alias: outerAlias }: Level,
  related: RelatedJson,
  { at, definitions }: { readonly at: number; readonly definitions: Definitions }
): { readonly member: Sql; readonly join: Sql } | undefined {
  const table = context.tableOf(related.model)
  const [rows, texts] = [`${outerAlias}${at}`, `${outerAlias}${at} text`]
  const [from, to] = [outer.byProperty.get(related.keyFrom), table.byProperty.get(related.keyTo)]
  const member = writeMember(context.json, related, texts)
  if (from === undefined || to === undefined) return undefined
  const key = sql`${to.sql} in (select ${from.sql} from ${sql.id(outerAlias)})`
  const numbered = numberedRows(
    { ...context, table },
    { filter: related.filter, column: to, key, columns: table.columns }
  )
  definitions.push(sql`${sql.id(rows)} as materialized (${numbered})`)
  const text = writeLevel(context, { table, alias: rows, shape: related.shape }, definitions)
  if (text === undefined) return undefined
  const each = sql`select ${sql.id(rows)}.${to.sql} as key, ${sql.id(rows, placeName)} as place, ${text.json} as json from ${sql.id(rows)}${text.joins}${apart}`
  definitions.push(
    sql`${sql.id(texts)} as (select each.key, case when count(*) = count(each.json) then string_agg(each.json, ',' order by each.place) end as json from (${each}) as each group by each.key)`
  )
  const join = sql` left join ${sql.id(texts)} on ${sql.id(texts, 'key')} = ${sql.id(outerAlias)}.${from.sql}`
  return { member, join }
}

function allColumns({ columns }: SqlTable): Sql {
  return sql.join(columns.map((column) => column.sql))
}

function whereOf(context: JsonContext, where: JsonQuery['filter']['where']): Sql {
  return where === undefined ? sql`` : sql` where ${compileCondition(context, where)}`
}
