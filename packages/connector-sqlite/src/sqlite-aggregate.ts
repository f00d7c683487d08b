import { type AggregateDialect, type Sql, sql } from '@modelwire/connector-sql'
import type { DatePart } from '@modelwire/core/connector'

/** Dates are milliseconds, or texts that other programs wrote. */
const moment = (date: Sql): Sql =>
  sql`case when typeof(${date}) = 'text' then strftime('%Y-%m-%d %H:%M:%S', ${date}) else strftime('%Y-%m-%d %H:%M:%S', ${date} / 1000.0, 'unixepoch') end`

const number = (format: string) => (date: Sql) => sql`cast(strftime('${sql.raw(format)}', ${moment(date)}) as integer)`

const parts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  date: (date) => sql`strftime('%Y-%m-%d', ${moment(date)})`,
  yearMonth: (date) => sql`strftime('%Y-%m', ${moment(date)})`,
  year: number('%Y'),
  quarter: (date) => sql`(${parts.month(date)} + 2) / 3`,
  month: number('%m'),
  weekday: (date) => sql`(${number('%w')(date)} + 6) % 7 + 1`,
  day: number('%d'),
  hour: number('%H'),
  minute: number('%M'),
  second: number('%S')
}

/** How SQLite writes sums and groups. It has no exact numbers, so that these are summed from rows. */
export const sqliteAggregate: AggregateDialect = {
  datePart: (part, date) => parts[part](date),
  average: (value) => sql`avg(${value})`,
  exactAverage: (value) => sql`avg(${value})`
}
