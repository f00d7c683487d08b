import type { Condition, Near } from '@modelwire/core/connector'
import { earthRadius, findNear } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { allOf, nothing, type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** True for rows with a point in that distance. Only columns of points are searched. */
export function testNear(dialect: SqlDialect, column: Column | undefined, below: readonly string[], near: Near): Sql {
  if (column?.kind !== 'point' || below.length > 0) return nothing
  const distance = distanceTo(dialect, column, near)
  const conditions = [sql`${column.sql} is not null`]
  if (near.minDistance !== undefined)
    conditions.push(sql`${distance} >= ${dialect.operand('number', near.minDistance)}`)
  if (near.maxDistance !== undefined)
    conditions.push(sql`${distance} <= ${dialect.operand('number', near.maxDistance)}`)
  return allOf(conditions)
}

/** The order of rows where the condition has a `near`; undefined where it has none. */
export function orderByDistance(dialect: SqlDialect, table: SqlTable, where: Condition | undefined): Sql | undefined {
  const near = findNear(where)
  const column = near?.path.length === 1 ? table.byProperty.get(near.path[0] ?? '') : undefined
  if (near === undefined || column?.kind !== 'point') return undefined
  // Within `or` there are rows without a point: they come last, beyond half of the circumference. Databases differ about null.
  return sql`coalesce(${distanceTo(dialect, column, near.value)}, ${dialect.operand('number', 4 * earthRadius)})`
}

function square(angle: Sql): Sql {
  return sql`power(sin(radians(${angle}) / 2), 2)`
}

/** Metres along the earth's surface, by the haversine formula. */
function distanceTo(dialect: SqlDialect, column: Column, { lat, lng }: Near): Sql {
  const [from, to] = [dialect.coordinate(column.sql, 'lat'), dialect.operand('number', lat)]
  const [west, east] = [dialect.coordinate(column.sql, 'lng'), dialect.operand('number', lng)]
  const haversine = sql`${square(sql`${from} - ${to}`)} + cos(radians(${from})) * cos(radians(${to})) * ${square(sql`${west} - ${east}`)}`
  // Rounding may carry the sum of opposite points above 1, which has no arcsine.
  return sql`${dialect.operand('number', 2 * earthRadius)} * asin(sqrt(case when ${haversine} > 1 then 1 else ${haversine} end))`
}
