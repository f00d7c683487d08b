import type { JsonShape, RelatedJson } from '@modelwire/core/connector'
import { isPaged, placeName } from '../find/numbered-rows.ts'
import { orderList } from '../find/select-rows.ts'
import { sql, type Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { JsonContext } from './compile-json.ts'
import { keyedRows, keyName } from './keyed-rows.ts'
import { countName, countRecords, selectWithin } from './select-within.ts'
import { textName, writeMember, writeObject } from './write-object.ts'

/** The rows of one model in a statement, under the name that they have there. */
export interface Level {
  readonly table: SqlTable
  readonly alias: string
  readonly shape: JsonShape
}

/** The text of each row, with the joins to the texts of related records that it is made of. */
export interface WrittenLevel {
  readonly json: Sql
  readonly joins: Sql
  /** For each relation, how many records it adds to the text of a row, those within them included. */
  readonly counts: readonly Sql[]
}

/** Tables of a statement that are defined before it. */
export type Definitions = Sql[]

/** Keeps a select by itself, so that the text of each of its rows, which is used twice, is made once, and in their order. */
export const apart = sql` offset 0`

/** Texts of rows with commas between them; null where one of them is. */
export function writeList(text: Sql, order: Sql = sql``): Sql {
  return sql`case when count(*) = count(${text}) then coalesce(string_agg(${text}, ','${order}), '') end`
}

/** The text of the rows of a level; undefined where the database cannot write it. Adds to `definitions` what lies below. */
export function writeLevel(context: JsonContext, level: Level, definitions: Definitions): WrittenLevel | undefined {
  const { table, alias, shape } = level
  const [members, joins, counts]: [Sql[], Sql[], Sql[]] = [[], [], []]
  for (const [at, related] of shape.related.entries()) {
    const joined = joinBelow(context, level, related, { rows: `${alias}${at}`, definitions })
    if (joined === undefined) return undefined
    members.push(joined.member)
    joins.push(joined.join)
    counts.push(joined.count)
  }
  const json = writeObject({ dialect: context.json, table, types: context.typesOf(table), alias }, shape, members)
  return json && { json, joins: sql.join(joins, sql``), counts }
}

/** What tables below a level are called, and where they are defined. */
interface Below {
  readonly rows: string
  readonly definitions: Definitions
}

/** Defines the texts of related records by their key: one table for the rows, one for their texts. */
function joinBelow(
  context: JsonContext,
  outer: Level,
  related: RelatedJson,
  { rows, definitions }: Below
): { readonly member: Sql; readonly join: Sql; readonly count: Sql } | undefined {
  const table = context.tableOf(related.model)
  const texts = `${rows} text`
  const from = outer.table.byProperty.get(related.keyFrom)
  if (from === undefined) return undefined
  const keyed = keyedRows({ ...context, table }, related, sql`select ${from.sql} from ${sql.id(outer.alias)}`)
  if (keyed === undefined) return undefined
  definitions.push(sql`${sql.id(rows)} as (${keyed})`)
  const level = writeLevel(context, { table, alias: rows, shape: related.shape }, definitions)
  if (level === undefined) return undefined
  const order = isPaged(related.filter) ? [sql.id(rows, placeName)] : orderList({ ...context, table }, related.filter)
  const key = sql.id(rows, keyName)
  const text = sql.id(textName)
  const each = sql`${selectWithin(context, { ...level, alias: rows, columns: [key] })} order by ${sql.join([key, ...order])}${apart}`
  const count = sql`${countRecords(level)} as ${sql.id(countName)}`
  definitions.push(
    sql`${sql.id(texts)} as (select ${sql.id(keyName)}, ${writeList(text)} as ${text}, ${count} from (${each}) as each group by ${sql.id(keyName)})`
  )
  const held = sql`${sql.id(outer.alias)}.${from.sql}`
  return {
    member: writeMember(context.json, related, texts),
    join: sql` left join ${sql.id(texts)} on ${sql.id(texts, keyName)} = ${held}`,
    count: sql`coalesce(${sql.id(texts, countName)}, 0)`
  }
}
