import {
  isFound,
  jsonSteps,
  writeStep,
  type Column,
  type ColumnKind,
  type JsonDialect,
  type JsonItems,
  type JsonPlace,
  type JsonStep,
  type Sql,
  sql
} from '@modelwire/connector-sql'
import { exactText } from './exact-text.ts'

/** The items that a path leads to. Each step into a list goes into all of its items. */
function mysqlItems(column: Column, path: readonly string[]): JsonItems {
  const start: JsonPlace = { rows: [], json: documentOf(column) }
  const place = jsonSteps(column, path).reduce(takeStep, start)
  const item = openList(place.json, 'item')
  const type = sql`(case when item.value is null then 'null' else ${typeName(sql`json_type(item.value)`)} end)`
  const text = sql`convert(json_unquote(item.value) using utf8mb4) collate utf8mb4_bin`
  const isNumber = sql`${type} = 'number' or (${type} = 'string' and ${text} regexp '^ *[-+]?[0-9]+([.][0-9]+)? *$')`
  return {
    rows: sql.join([...place.rows, item]),
    found: isFound(place),
    type,
    text: sql`(${text})`,
    exactly: exactText,
    number: sql`(case when ${isNumber} then json_unquote(item.value) + 0e0 end)`
  }
}

/** What a path leads to, as a number where the property is one, or else as text. */
function mysqlJsonOrder(column: Column, path: readonly string[], kind: ColumnKind): Sql {
  const value = sql`json_extract(${documentOf(column)}, ${writePath(jsonSteps(column, path))})`
  const type = typeName(sql`json_type(${value})`)
  if (kind === 'number') return sql`(case when ${type} = 'number' then json_unquote(${value}) + 0e0 end)`
  return sql`(case when ${type} <> 'null' then convert(json_unquote(${value}) using utf8mb4) end) collate utf8mb4_bin`
}

/** Each property is set by itself: the merging functions would merge what lies below, too, and remove what is null. */
function mysqlMergeJson(document: Sql, patch: Readonly<Record<string, unknown>>): Sql {
  const changes = Object.entries(patch).map(
    ([name, value]) => sql`${writePath([{ key: name }])}, json_extract(${JSON.stringify(value)}, '$')`
  )
  return sql`json_set(coalesce(${document}, '{}'), ${sql.join(changes)})`
}

/** Existing columns may hold texts that are not valid JSON. */
function documentOf(column: Column): Sql {
  return sql`case when json_valid(${column.sql}) then ${column.sql} end`
}

function takeStep({ rows, json }: JsonPlace, step: JsonStep): JsonPlace {
  if ('index' in step) {
    const item = sql`json_extract(${json}, ${writePath([step])})`
    const property = sql`json_extract(${json}, ${writePath([{ key: String(step.index) }])})`
    return { rows, json: sql`(case json_type(${json}) when 'ARRAY' then ${item} else ${property} end)` }
  }
  const name = `step${rows.length}`
  const value = sql.id(name, 'value')
  const next = sql`(case when json_type(${value}) = 'OBJECT' then json_extract(${value}, ${writePath([step])}) end)`
  return { rows: [...rows, openList(json, name)], json: next }
}

function openList(json: Sql, name: string): Sql {
  const list = sql`case when ${json} is null then '[]' when json_type(${json}) = 'ARRAY' then ${json} else concat('[', ${json}, ']') end`
  return sql`json_table(${list}, '$[*]' columns (value json path '$')) as ${sql.id(name)}`
}

function typeName(type: Sql): Sql {
  return sql`case ${type} when 'STRING' then 'string' when 'BOOLEAN' then 'boolean' when 'NULL' then 'null' when 'OBJECT' then 'object' when 'ARRAY' then 'array' else 'number' end`
}

function writePath(steps: readonly JsonStep[]): string {
  return `$${steps.map(writeStep).join('')}`
}

/** How MySQL and MariaDB read and change JSON. */
export const mysqlJson: JsonDialect = { items: mysqlItems, order: mysqlJsonOrder, merge: mysqlMergeJson }
