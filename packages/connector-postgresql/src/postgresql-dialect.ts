import {
  finite,
  type Column,
  type ColumnKind,
  type ColumnType,
  type KeyLocks,
  type Sql,
  type SqlDialect,
  type SqlTable,
  sql,
  type AggregateDialect,
  jsonSteps,
  standardSql,
  writeStep,
  type JsonItems,
  type Zone
} from '@modelwire/connector-sql'
import { postgresqlCatalog, postgresqlSchema, schemaOf, postgresqlNotation } from './postgresql-schema.ts'
import { decode, documentOf, postgresqlTypes, writeItems } from './postgresql-types.ts'
import { postgresqlFault } from './postgresql-fault.ts'
import { postgresqlChangeLog } from './postgresql-change-log.ts'
import type { DatePart } from '@modelwire/core/connector'

const field = (name: string) => (time: Sql) => sql`extract(${sql.raw(name)} from ${time})::int`

/** Parts of a time without a zone. */
const parts: Readonly<Record<DatePart, (time: Sql) => Sql>> = {
  date: (time) => sql`to_char(${time}, 'YYYY-MM-DD')`,
  yearMonth: (time) => sql`to_char(${time}, 'YYYY-MM')`,
  year: field('year'),
  quarter: field('quarter'),
  month: field('month'),
  weekday: field('isodow'),
  day: field('day'),
  hour: field('hour'),
  minute: field('minute'),
  second: (time) => sql`floor(extract(second from ${time}))::int`
}

const ofAnyType = (date: Sql): Sql => sql`(to_timestamp(extract(epoch from ${date})) at time zone 'UTC')`

/** How PostgreSQL writes sums and groups. Times in columns without a zone are those of `zone`, or else of UTC. */
const postgresqlAggregate = (zone: Zone | undefined): AggregateDialect => ({
  datePart: (part, column) => {
    const time = inUtc(column, zone === undefined ? 0 : zone.offset)
    return time && parts[part](time)
  },
  average: (number) => sql`avg(${number}::float8)`,
  // The scale of a quotient is that of the dividend at least.
  exactAverage: (number, places) =>
    sql`round(round(sum(${number}), ${sql.lit(places + 10)}) / count(${number}), ${sql.lit(places)})`
})

/** Types such as citext have operators of their own. */
const byCharacters = (text: Sql): Sql => sql`(${text})::text collate "C"`

/** Ids that are chosen do not move the sequence by themselves. */
function raiseIds(table: SqlTable, id: Column, highest: number): Sql {
  return sql`
    select setval(made.ids, ${highest}::bigint)
    from (select pg_get_serial_sequence(${`${postgresqlNotation.quote(schemaOf(table))}.${postgresqlNotation.quote(table.name)}`}, ${id.name})::regclass as ids) as made
    where made.ids is not null and ${highest}::bigint > coalesce(pg_sequence_last_value(made.ids), 0)`
}

/** Whole numbers fit indexes of all types of numbers; others are only equal to what can hold them. */
function numberOperand(value: number): Sql {
  return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${finite(value)}::float8`
}

/** A column of integers would take a decimal number for a malformed one. */
function operand(kind: ColumnKind, value: unknown): Sql {
  if (kind === 'number') return numberOperand(Number(value))
  return kind === 'decimal' ? sql`${value}${sql.raw(isBigint(value) ? '::bigint' : '::numeric')}` : sql`${value}`
}

const isBigint = (value: unknown): boolean => /^-?\d{1,18}$/.test(String(value))

/** One parameter, however many values; but lists as values would be taken for one list of their items. */
const isOneOf: NonNullable<SqlDialect['isOneOf']> = ({ kind, sql: column, type }, values) =>
  kind === 'text' && type?.items !== undefined
    ? sql`${column} in (${sql.join(values)})`
    : sql`${column} = any(${[...values]}${sql.raw(listType(kind, values))})`

function listType(kind: ColumnKind, values: readonly unknown[]): string {
  if (kind === 'decimal') return values.every(isBigint) ? '::bigint[]' : '::numeric[]'
  if (kind !== 'number') return ''
  return values.every(Number.isSafeInteger) ? '::bigint[]' : '::float8[]'
}

const like: SqlDialect['like'] = (text, pattern) =>
  sql`${text} ${sql.raw(pattern.ignoreCase ? 'ilike' : 'like')} ${pattern.text} escape '\\'`

/** A value in the form that the type of its column needs. */
function stored(kind: ColumnKind, value: unknown, type?: ColumnType): Sql {
  const own = type?.kind ?? kind
  if (kind === 'json') return sql`${jsonText(value, type)}`
  if (kind === 'point') return own === 'point' ? sql`${writePoint(value)}::point` : sql`${JSON.stringify(value)}`
  if (kind === 'boolean' && (own === 'number' || type?.name?.startsWith('bit') === true))
    return sql`${value ? '1' : '0'}`
  if (kind !== 'date' || !(value instanceof Date)) return sql`${value}`
  if (type?.datesAsText === true) return sql`${value.toISOString()}`
  return own === 'number' ? sql`${value.getTime()}` : sql`${value}`
}

/** Lists of the server are no JSON, and neither are values of other types. */
function jsonText(value: unknown, type: ColumnType | undefined): unknown {
  if (type === undefined || type.isText === true) return JSON.stringify(value)
  if (type.items !== undefined && Array.isArray(value)) return writeItems(value, type.items)
  if (type.kind === 'json' && type.items === undefined) return JSON.stringify(value)
  // The driver would send the bytes as the type's own binary form.
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'string' || value instanceof Date ? value : JSON.stringify(value)
}

function writePoint(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lng' in value)) return null
  return `(${Number(value.lng)},${Number(value.lat)})`
}

/** What PostgreSQL's expressions write in another way than JavaScript's: the borders of words. */
function translate(source: string): string {
  return source.replaceAll(/\\./gs, (sign) => borders.get(sign) ?? sign)
}

const borders: ReadonlyMap<string, string> = new Map([
  [String.raw`\b`, String.raw`\y`],
  [String.raw`\B`, String.raw`\Y`]
])

/**
 * The time in UTC as one without a zone, by the type of its column; undefined where that type is none of times, or their zone has
 * no fixed offset.
 */
function inUtc({ sql: date, type, isKnown }: Column, offset: number | undefined): Sql | undefined {
  if (isKnown !== true) return offset === 0 ? ofAnyType(date) : undefined
  if (type?.name === 'timestamp with time zone') return sql`(${date} at time zone 'UTC')`
  if (offset === undefined || (type?.name !== 'timestamp without time zone' && type?.name !== 'date')) return undefined
  return offset === 0 ? sql`${date}::timestamp` : sql`(${date} - interval '${sql.lit(offset / 1000)} seconds')`
}

/** The items that a path leads to, by a path of SQL/JSON, which goes into all items of a list by itself. */
function postgresqlItems(column: Column, path: readonly string[]): JsonItems {
  const document = documentOf(column)
  const written = `$${jsonSteps(column, path).map(writeStep).join('')}`
  const [type, text] = [sql`jsonb_typeof(item.value)`, sql`(item.value #>> '{}')`]
  return {
    rows: sql`jsonb_path_query(${document}, ${`${written}[*]`}::jsonpath) as item(value)`,
    found: sql`jsonb_path_exists(${document}, ${written}::jsonpath)`,
    type,
    text,
    number: sql`(case when ${type} = 'number' or (${type} = 'string' and ${text} ~ '^ *[-+]?[0-9]+([.][0-9]+)? *$') then ${text}::float8 end)`
  }
}

/** What a path leads to, as a number where the property is one; other values as JSON orders them. */
function postgresqlJsonOrder(column: Column, path: readonly string[], kind: ColumnKind): Sql {
  const document = documentOf(column)
  if (path.length === 0) return document
  if (kind === 'number')
    return sql`case when jsonb_typeof(${document} #> ${path}::text[]) = 'number' then (${document} #>> ${path}::text[])::float8 end`
  return kind === 'json' ? sql`${document} #> ${path}::text[]` : sql`(${document} #>> ${path}::text[]) collate "C"`
}

/** The settings of the dialect. */
export interface DialectOptions {
  /** Other engines with PostgreSQL's protocol: features that they do not support are not used. */
  readonly distributed: boolean
  /** The zone of times in columns without one; UTC when absent. */
  readonly zone?: Zone | undefined
}

/** The SQL of PostgreSQL, where it differs from the standard. */
export function postgresqlDialect({ distributed, zone }: DialectOptions): SqlDialect {
  const dialect: SqlDialect = {
    ...standardSql,
    name: 'postgresql',
    notation: postgresqlNotation,
    mappingKeys: ['postgresql', 'pgsql', 'postgres'],
    longestName: { length: 63, unit: 'bytes' },
    types: postgresqlTypes,
    wasCreated: sql`(xmax = 0)`,
    operand,
    stored,
    decode: (kind, value) => decode(kind, value, zone),
    byCode: (text) => sql`${text} collate "C"`,
    isOneOf,
    like,
    regexp: (text, { source, ignoreCase }) => sql`${text} ${sql.raw(ignoreCase ? '~*' : '~')} ${translate(source)}`,
    json: {
      items: postgresqlItems,
      order: postgresqlJsonOrder,
      merge: (document, patch) => sql`coalesce(${document}, '{}'::jsonb) || ${JSON.stringify(patch)}::jsonb`
    },
    // LB3: a point is kept as (longitude, latitude).
    coordinate: (point, part) => sql`(${point})[${sql.raw(part === 'lat' ? '1' : '0')}]`,
    direction: (descending) => (descending ? sql` desc nulls last` : sql` asc nulls first`),
    raiseIds,
    exactText: { text: byCharacters, pattern: byCharacters },
    transactions: { ...standardSql.transactions, failAsWhole: true, locks },
    fault: postgresqlFault,
    aggregate: postgresqlAggregate(zone),
    changeLog: postgresqlChangeLog(zone),
    schema: postgresqlSchema(distributed, zone),
    catalog: postgresqlCatalog
  }
  if (!distributed) return dialect
  // They have no column `xmax`, ids that are not counted by one sequence, no triggers or others, and transactions that are serializable.
  const { wasCreated: _wasCreated, raiseIds: _raiseIds, changeLog: _changeLog, ...common } = dialect
  return { ...common, transactions: { ...standardSql.transactions, failAsWhole: true } }
}

const locks: KeyLocks = {
  take: (keys) =>
    sql`select 1 as taken, pg_advisory_xact_lock(hashtextextended(key, 0))::text as lock from unnest(${[...keys]}::text[]) as key`
}
