import type { Filter, RelatedJson } from '@modelwire/core/connector'
import { isPaged, numberedRows } from '../find/numbered-rows.ts'
import { columnList, orderBy, page as pageClause } from '../find/select-rows.ts'
import { allOf, sql, type Sql } from '../sql.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import type { JsonContext } from './compile-json.ts'

/** The name under which rows have the key of the outer row that they lie within. */
export const keyName = 'key of the row'

/** The name under which what joins two rows has the key of the inner one. */
const targetName = 'key of the target'

/**
 * Selects the rows of a related model by the keys of outer rows, each key's rows cut by themselves. Undefined where a key has
 * no column.
 * @param outer selects the keys
 */
export function keyedRows(context: JsonContext, related: RelatedJson, outer: Sql): Sql | undefined {
  const { filter, through } = related
  const rows = through === undefined ? ownRows(context, related, outer) : joinedRows(context, related, outer)
  // One row too many is enough: the level above counts them, and each of them at least once.
  const most = pageClause(context.dialect, { skip: 0, atMost: context.atMost })
  if (rows === undefined) return undefined
  if (!isPaged(filter)) return sql`${rows}${most}`
  const key = sql.id(keyName)
  const columns = sql`${columnList(context.table.columns)}, ${key}`
  const order = orderBy(context, filter)
  return sql`${numberedRows({ filter, from: sql`(${rows}) as keyed`, key, columns, order })}${most}`
}

/** Rows that hold the key. */
function ownRows(context: JsonContext, { keyTo, filter }: RelatedJson, outer: Sql): Sql | undefined {
  const { table } = context
  const key = table.byProperty.get(keyTo)?.sql
  if (key === undefined) return undefined
  const where = allOf([sql`${key} in (${outer})`, ...conditionsOf(context, filter)])
  return sql`select ${columnList(table.columns)}, ${key} as ${sql.id(keyName)} from ${table.sql} where ${where}`
}

/** Rows that others join to the key, as often as they do. */
function joinedRows(context: JsonContext, { keyTo, through, filter }: RelatedJson, outer: Sql): Sql | undefined {
  const { table } = context
  const between = through && context.tableOf(through.model)
  const key = table.byProperty.get(keyTo)?.sql
  const links = through && between && linksOf({ ...context, table: between }, through, outer)
  if (key === undefined || links === undefined) return undefined
  const where = allOf(conditionsOf(context, filter))
  const rows = sql`select ${columnList(table.columns)} from ${table.sql} where ${where}`
  return sql`select ${columnList(table.columns)}, ${sql.id(keyName)} from (${rows}) as target join (${links}) as link on ${sql.id(targetName)} = ${key}`
}

/** Both keys of the rows between. */
function linksOf(
  context: WhereContext,
  { keyFrom, keyTo, filter }: NonNullable<RelatedJson['through']>,
  outer: Sql
): Sql | undefined {
  const { table } = context
  const [from, to] = [table.byProperty.get(keyFrom)?.sql, table.byProperty.get(keyTo)?.sql]
  if (from === undefined || to === undefined) return undefined
  const where = allOf([sql`${from} in (${outer})`, ...conditionsOf(context, filter)])
  return sql`select ${from} as ${sql.id(keyName)}, ${to} as ${sql.id(targetName)} from ${table.sql} where ${where}`
}

const conditionsOf = (context: WhereContext, { where }: Filter): readonly Sql[] =>
  where === undefined ? [] : [compileCondition(context, where)]
