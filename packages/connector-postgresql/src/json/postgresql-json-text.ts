import { type Column, type ColumnKind, type JsonDialect, type Sql, sql } from '@modelwire/connector-sql'
import type { TimestampZone } from '../values/timestamp-zone.ts'

/** A text that stands in the statement, and means the same whatever the database's settings for backslashes are. */
const literal = (text: string): Sql => sql.raw(`E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)

type WriteValue = (value: Sql) => Sql

const orNull = (text: Sql, value: Sql): Sql => sql`case when ${value} is null then 'null' else ${text} end`

const plain: WriteValue = (value) => sql`coalesce(${value}::text, 'null')`
const boolean: WriteValue = (value) => sql`case ${value} when true then 'true' when false then 'false' else 'null' end`
const asText: WriteValue = (value) => quoted(sql`${value}::text`)
const quoted: WriteValue = (value) => sql`coalesce(to_json(${value})::text, 'null')`

/** The greatest whole numbers that JavaScript distinguishes. */
const safe = sql.raw(`between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`)

const integer: WriteValue = (value) =>
  sql`case when ${value} ${safe} then ${value}::text when ${value} is null then 'null' end`

/** Both write the shortest digits that mean the number, but not with an exponent at the same size; whole ones may be greater. */
const floating = (number: Sql): Sql =>
  sql`case when abs(${number}) >= 1e-4 and abs(${number}) < 1e15 then ${number}::text when ${number} ${safe} and ${number} = trunc(${number}) then ${number}::bigint::text end`

const float: WriteValue = (value) => orNull(floating(value), value)
/** The number that its digits mean to JavaScript, which is another one than that of the column. */
const single: WriteValue = (value) => orNull(floating(sql`${value}::text::float8`), value)
/** Numbers that do not fit a double are left to the reading of rows, which reports the error. */
const numeric: WriteValue = (value) =>
  orNull(sql`case when ${value}::float8::text::numeric = ${value} then ${floating(sql`${value}::float8`)} end`, value)

/** JavaScript writes years before 0 and after 9999 with a sign. */
const inFourDigitYears = (time: Sql, zone: string, written: Sql): Sql =>
  sql`case when ${time} >= ${literal(`1000-01-01${zone}`)} and ${time} < ${literal(`10000-01-01${zone}`)} then ${written} end`

const timeFormat = literal(String.raw`\"YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\"`)
const writeTime = (time: Sql): Sql => sql`to_char(${time}, ${timeFormat})`

/** A zone as an interval needs no look at the names of zones. */
const time: WriteValue = (value) =>
  orNull(inFourDigitYears(value, 'T00:00:00Z', writeTime(sql`(${value} at time zone interval '0')`)), value)

/** Times without a zone, of UTC. */
const zonelessTime: WriteValue = (value) => orNull(inFourDigitYears(value, '', writeTime(value)), value)

/** Days of UTC. Without a cast they would be midnights of the zone of the session, which some days do not have. */
const day: WriteValue = (value) => zonelessTime(sql`${value}::timestamp`)

/** LB3: a point is kept as (longitude, latitude). */
const point: WriteValue = (value) =>
  orNull(
    sql`'{"lat":' || ${floating(sql`(${value})[1]`)} || ',"lng":' || ${floating(sql`(${value})[0]`)} || '}'`,
    value
  )

const writers: Readonly<Partial<Record<ColumnKind, Readonly<Record<string, WriteValue>>>>> = {
  text: { text: quoted, varchar: quoted, bpchar: quoted, uuid: quoted },
  decimal: { int2: asText, int4: asText, int8: asText, numeric: asText },
  number: { int2: plain, int4: plain, int8: integer, float4: single, float8: float, numeric },
  boolean: { bool: boolean },
  date: { timestamptz: time, timestamp: zonelessTime, date: day },
  point: { point }
}

/**
 * Values as PostgreSQL writes them where it writes them like JavaScript. Neither bytes nor lists and objects are among them:
 * only a regular expression could tell which JSON that is stored has the form that JavaScript gives it, and it would cost the
 * database more, for each row, than reading the rows costs both.
 */
export const postgresqlJsonText: JsonDialect = {
  listTypes: ({ schema, name }) =>
    sql`select column_name as name, udt_name as type from information_schema.columns where table_schema = ${schema} and table_name = ${name}`,
  literal,
  writeValue: (value, { kind }, type) => {
    const writersOf = writers[kind] ?? {}
    return Object.hasOwn(writersOf, type) ? writersOf[type]?.(value) : undefined
  },
  // Both fail with 54000, program_limit_exceeded, and name themselves as the error's routine.
  refuse: (value, exceeded) =>
    sql`${sql.raw(exceeded === 'rows' ? 'lpad' : 'repeat')}(${value}, ${sql.raw('2147483647')})`
}

/** Columns whose times are those of a zone that they do not know. */
const lacksZone = ({ kind }: Column, type: string): boolean => kind === 'date' && type !== 'timestamptz'

/** The JSON text of columns where times without a zone are those of `zone`: this process decides their meaning. */
export function jsonTextIn(zone: TimestampZone | undefined): JsonDialect {
  if (zone === undefined) return postgresqlJsonText
  const { writeValue } = postgresqlJsonText
  return {
    ...postgresqlJsonText,
    writeValue: (value, column, type) => (lacksZone(column, type) ? undefined : writeValue(value, column, type))
  }
}
