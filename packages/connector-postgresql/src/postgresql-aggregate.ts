import { type AggregateDialect, type Sql, sql } from '@modelwire/connector-sql'
import type { DatePart } from '@modelwire/core/connector'
import type { TimestampZone } from './values/timestamp-zone.ts'

/** The time in UTC, whether its column knows a zone or not. */
const moment = (date: Sql): Sql => sql`(to_timestamp(extract(epoch from ${date})) at time zone 'UTC')`

const field = (name: string) => (date: Sql) => sql`extract(${sql.raw(name)} from ${moment(date)})::int`

const parts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  date: (date) => sql`to_char(${moment(date)}, 'YYYY-MM-DD')`,
  yearMonth: (date) => sql`to_char(${moment(date)}, 'YYYY-MM')`,
  year: field('year'),
  quarter: field('quarter'),
  month: field('month'),
  weekday: field('isodow'),
  day: field('day'),
  hour: field('hour'),
  minute: field('minute'),
  second: (date) => sql`floor(extract(second from ${moment(date)}))::int`
}

/** How PostgreSQL writes sums and groups. Parts of dates are read from rows where times are not those of UTC. */
export const postgresqlAggregate = (zone: TimestampZone | undefined): AggregateDialect => ({
  datePart: zone === undefined ? (part, date) => parts[part](date) : undefined,
  average: (number) => sql`avg(${number}::float8)`,
  // The scale of a quotient is that of the dividend at least.
  exactAverage: (number, places) =>
    sql`round(round(sum(${number}), ${sql.lit(places + 10)}) / count(${number}), ${sql.lit(places)})`
})
