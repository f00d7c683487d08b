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

/** The items that a path leads to. Each step into a list goes into all of its items. */
function sqliteItems(column: Column, path: readonly string[]): JsonItems {
  const start: JsonPlace = { rows: [], json: sql`case when json_valid(${column.sql}) then ${column.sql} end` }
  const place = jsonSteps(column, path).reduce(takeStep, start)
  const item = sql`json_each(${listOf(place.json)}) as item`
  const type = sql`case item.type when 'text' then 'string' when 'integer' then 'number' when 'real' then 'number' when 'true' then 'boolean' when 'false' then 'boolean' else item.type end`
  return {
    rows: sql.join([...place.rows, item]),
    found: isFound(place),
    type: sql`(${type})`,
    text: sql`(case when item.type in ('true', 'false') then item.type else cast(item.value as text) end)`,
    number: sql`(case when item.type in ('integer', 'real') then item.value when item.type = 'text' and item.value regexp '^ *[-+]?[0-9]+([.][0-9]+)? *$' then cast(item.value as real) end)`
  }
}

/** What a path leads to, as SQLite reads it: numbers as numbers, lists and objects as text. */
function sqliteJsonOrder(column: Column, path: readonly string[], _kind: ColumnKind): Sql {
  const steps = jsonSteps(column, path)
  const written = `$${steps.map(writeStep).join('')}`
  const value = steps.some(hasQuote)
    ? sql`json_extract(${steps.reduce(memberOf, column.sql)}, '$')`
    : sql`json_extract(${column.sql}, ${written})`
  return sql`case when json_valid(${column.sql}) then ${value} end`
}

/** Rebuilt from both objects: the functions that change one would read a name as a path, or merge what lies below. */
function sqliteMergeJson(document: Sql, patch: Readonly<Record<string, unknown>>): Sql {
  const added = JSON.stringify(patch)
  const value = sql`case type when 'object' then json(value) when 'array' then json(value) when 'true' then json('true') when 'false' then json('false') else value end`
  return sql`(select json_group_object(key, ${value}) from (
    select key, value, type from json_each(coalesce(${document}, '{}')) where key not in (select key from json_each(${added}))
    union all select key, value, type from json_each(${added})))`
}

const hasQuote = (step: JsonStep): boolean => 'key' in step && step.key.includes('"')

/** What a step leads to, as JSON. No path of SQLite names a property with a quote in its name. */
function memberOf(json: Sql, step: JsonStep): Sql {
  if ('index' in step || !hasQuote(step)) return sql`${json} -> ${`$${writeStep(step)}`}`
  const value = sql`case type when 'true' then 'true' when 'false' then 'false' when 'null' then 'null' when 'text' then json_quote(value) else value end`
  return sql`(select ${value} from json_each(${json}) where key = ${step.key})`
}

function takeStep({ rows, json }: JsonPlace, step: JsonStep): JsonPlace {
  if ('index' in step) {
    const [item, property] = [memberOf(json, step), memberOf(json, { key: String(step.index) })]
    return { rows, json: sql`(case json_type(${json}) when 'array' then ${item} else ${property} end)` }
  }
  const name = `step${rows.length}`
  const value = sql.id(name, 'value')
  const next = sql`(case when ${sql.id(name, 'type')} = 'object' then ${memberOf(value, step)} end)`
  return { rows: [...rows, sql`json_each(${listOf(json)}) as ${sql.id(name)}`], json: next }
}

function listOf(json: Sql): Sql {
  return sql`case when ${json} is null then '[]' when json_type(${json}) = 'array' then ${json} else '[' || ${json} || ']' end`
}

/** How SQLite reads and changes JSON. */
export const sqliteJson: JsonDialect = { items: sqliteItems, order: sqliteJsonOrder, merge: sqliteMergeJson }
