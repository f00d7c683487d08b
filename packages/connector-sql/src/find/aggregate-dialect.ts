import type { DatePart } from '@modelwire/core/connector'
import type { Sql } from '../sql.ts'

/** How a database writes sums and groups, all of which write `count`, `sum`, `min` and `max` alike. */
export interface AggregateDialect {
  /** A part of a date in UTC: `date` and `yearMonth` as strings, the others as whole numbers. Absent where times are not those of UTC. */
  readonly datePart?: ((part: DatePart, date: Sql) => Sql) | undefined
  /** The average of numbers, as a floating one. */
  readonly average: (number: Sql) => Sql
  /** The average of exact numbers, rounded to so many decimals. */
  readonly exactAverage: (number: Sql, places: number) => Sql
}
