import { sql, type RawBuilder } from 'kysely'

/** A piece of a statement. Values in it are bound as parameters, names are quoted by the dialect. */
export type Sql = RawBuilder<unknown>

/** A condition that no row satisfies, in every dialect. */
export const nothing: Sql = sql`1 = 0`

/** A condition that every row satisfies, in every dialect. */
export const everything: Sql = sql`1 = 1`

/** The conditions, all of which must hold. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? everything : sql`(${sql.join(conditions, sql` and `)})`
}

/** The conditions, one of which must hold. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? nothing : sql`(${sql.join(conditions, sql` or `)})`
}

/** True where `condition` is false or unknown: SQL's own `not` leaves the unknown unknown. */
export function isNotTrue(condition: Sql): Sql {
  return sql`(${condition}) is not true`
}
