import { type Column, type ColumnKind, type JsonDialect, type KeyLists, type Sql, sql } from '@modelwire/connector-sql'
import type { TimestampZone } from '../values/timestamp-zone.ts'
import { keyPatterns, listPattern, literal, writeJsonb, writeStoredJson } from './stored-json.ts'

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

const [whole, text] = [String.raw`(0|-?[1-9]\d{0,14})`, String.raw`"([^"\\]|\\.)*"`]
const plainItem = String.raw`(${whole}|-?\d{1,9}\.\d{0,5}[1-9]|${text}|true|false|null)`
/** True for a list of such items, as `jsonb` is written. */
const isListOf = (value: Sql, item: string): Sql =>
  sql`${value}::text ~ ${literal(String.raw`^\[(${item}(, ${item})*)?\]$`)}`

const storedJson: WriteValue = (value) => orNull(writeStoredJson(sql`${value}::text`), value)
const jsonb: WriteValue = (value) => orNull(writeJsonb(value), value)
/** Lists of plain values are taken apart, which is quicker than to look at each piece of them. */
const jsonbList: WriteValue = (value) =>
  orNull(
    sql`case when ${isListOf(value, plainItem)} then array_to_json(array(select jsonb_array_elements(${value})))::text else ${writeJsonb(value)} end`,
    value
  )

const plainKinds: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])

const isPlainList = ({ property: { type } }: Column): boolean =>
  type.kind === 'array' && type.items !== undefined && plainKinds.has(type.items.kind)

interface KeyItem {
  readonly pattern: string
  /** The value as text. */
  readonly written: string
  readonly keyOf: (item: Sql) => Sql
}

const textKey: KeyItem = { pattern: text, written: keyPatterns.text, keyOf: (item) => sql`(${item} #>> '{}')` }
const wholeKey: KeyItem = {
  pattern: whole,
  written: keyPatterns.whole,
  keyOf: (item) => sql`case when ${item}::text ~ ${literal(`^${whole}$`)} then ${item}::bigint end`
}
const keyItems: Readonly<Record<string, KeyItem>> = { text: textKey, varchar: textKey, int4: wholeKey, int8: wholeKey }

/** How keys are read from lists of each type. */
const keyListsOf: Readonly<Record<string, (item: KeyItem) => KeyLists>> = {
  jsonb: ({ pattern, keyOf }) => ({
    items: (value) => sql`jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} end)`,
    keyOf,
    holdsKeys: (value) => sql`(${value} is null or ${isListOf(value, pattern)})`
  }),
  text: keysInText,
  varchar: keysInText
}

/** Other texts need not be JSON. */
function keysInText({ written, keyOf }: KeyItem): KeyLists {
  const isList = (value: Sql): Sql => sql`${value} ~ ${literal(listPattern(written))}`
  return {
    items: (value) => sql`jsonb_array_elements(case when ${isList(value)} then ${value}::jsonb end)`,
    keyOf,
    holdsKeys: (value) => sql`(${value} is null or ${isList(value)})`
  }
}

const writers: Readonly<Partial<Record<ColumnKind, Readonly<Record<string, WriteValue>>>>> = {
  text: { text: quoted, varchar: quoted, bpchar: quoted, uuid: quoted },
  decimal: { int2: asText, int4: asText, int8: asText, numeric: asText },
  number: { int2: plain, int4: plain, int8: integer, float4: single, float8: float, numeric },
  boolean: { bool: boolean },
  date: { timestamptz: time, timestamp: zonelessTime, date: day },
  point: { point },
  json: { jsonb, text: storedJson, varchar: storedJson, json: storedJson }
}

/** Values as PostgreSQL writes them where it writes them like JavaScript. Bytes are not among them. */
export const postgresqlJsonText: JsonDialect = {
  listTypes: ({ schema, name }) =>
    sql`select column_name as name, udt_name as type from information_schema.columns where table_schema = ${schema} and table_name = ${name}`,
  literal,
  writeValue: (value, column, type) => {
    const { kind } = column
    if (type === 'jsonb' && isPlainList(column)) return jsonbList(value)
    const writersOf = writers[kind] ?? {}
    return Object.hasOwn(writersOf, type) ? writersOf[type]?.(value) : undefined
  },
  // Both fail with 54000, program_limit_exceeded, and name themselves as the error's routine.
  refuse: (value, exceeded) =>
    sql`${sql.raw(exceeded === 'rows' ? 'lpad' : 'repeat')}(${value}, ${sql.raw('2147483647')})`,
  keyLists: (listType, keyType) => {
    const item = Object.hasOwn(keyItems, keyType) ? keyItems[keyType] : undefined
    return item && (Object.hasOwn(keyListsOf, listType) ? keyListsOf[listType]?.(item) : undefined)
  }
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
