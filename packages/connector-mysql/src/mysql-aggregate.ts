import { type AggregateDialect, type Sql, sql } from '@modelwire/connector-sql'
import type { DatePart } from '@modelwire/core/connector'
import type { TimeZone } from './mysql-zone.ts'

const call = (name: string) => (date: Sql) => sql`${sql.raw(name)}(${date})`

const parts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  date: (date) => sql`date_format(${date}, '%Y-%m-%d')`,
  yearMonth: (date) => sql`date_format(${date}, '%Y-%m')`,
  year: call('year'),
  quarter: call('quarter'),
  month: call('month'),
  weekday: (date) => sql`weekday(${date}) + 1`,
  day: call('day'),
  hour: call('hour'),
  minute: call('minute'),
  second: call('second')
}

/** How MySQL and MariaDB write sums and groups. Parts of dates are read from rows where times are not those of UTC. */
export const mysqlAggregate = ({ session }: TimeZone): AggregateDialect => ({
  datePart: session === '+00:00' ? (part, date) => parts[part](date) : undefined,
  // An average of whole numbers would have four decimals.
  average: (number) => sql`avg(${number} + 0e0)`,
  // The most digits that the database has; a quotient has four decimals more than its dividend.
  exactAverage: (number, places) =>
    sql`round(cast(sum(${number}) as decimal(65, 30)) / count(${number}), ${sql.lit(places)})`
})
