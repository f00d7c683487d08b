import {
  jsonSteps,
  writeStep,
  type Column,
  type ColumnKind,
  type JsonItems,
  type Sql,
  sql
} from '@modelwire/connector-sql'

/** The items that a path leads to, by a path of SQL/JSON, which goes into all items of a list by itself. */
export function postgresqlItems(column: Column, path: readonly string[]): JsonItems {
  const document = sql`${column.sql}::jsonb`
  const written = `$${jsonSteps(column, path).map(writeStep).join('')}`
  const [type, text] = [sql`jsonb_typeof(item.value)`, sql`(item.value #>> '{}')`]
  return {
    rows: sql`jsonb_path_query(${document}, ${`${written}[*]`}::jsonpath) as item(value)`,
    found: sql`jsonb_path_exists(${document}, ${written}::jsonpath)`,
    type,
    text,
    number: sql`(case when ${type} = 'number' or (${type} = 'string' and ${text} ~ '^ *[-+]?[0-9]+([.][0-9]+)? *$') then ${text}::float8 end)`
  }
}

/** What a path leads to, as a number where the property is one; other values as JSON orders them. */
export function postgresqlJsonOrder(column: Column, path: readonly string[], kind: ColumnKind): Sql {
  const document = sql`${column.sql}::jsonb`
  if (path.length === 0) return document
  if (kind === 'number')
    return sql`case when jsonb_typeof(${document} #> ${path}::text[]) = 'number' then (${document} #>> ${path}::text[])::float8 end`
  return kind === 'json' ? sql`${document} #> ${path}::text[]` : sql`(${document} #>> ${path}::text[]) collate "C"`
}
