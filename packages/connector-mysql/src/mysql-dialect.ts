import {
  decodeValue,
  finite,
  type ColumnKind,
  type ColumnType,
  type KeyLocks,
  type Sql,
  type SqlDialect,
  rowTriggers,
  sql,
  standardSql,
  type AggregateDialect,
  type ChangeLogDialect
} from '@modelwire/connector-sql'
import { countDigits, type DatePart } from '@modelwire/core/connector'
import { mysqlCatalog, mysqlSchema, schemaName } from './mysql-schema.ts'
import { mysqlFault } from './mysql-fault.ts'
import { exactText } from './exact-text.ts'
import { mysqlJson } from './mysql-json.ts'
import { mysqlTypes } from './mysql-types.ts'
import type { TimeZone } from './mysql-zone.ts'

/** Quotes a name safely. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const pointText = /^POINT\((\S+) (\S+)\)$/

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

/** How MySQL and MariaDB write sums and groups. Parts of dates are read from rows where the zone of times has no fixed offset. */
const mysqlAggregate = ({ offset }: TimeZone): AggregateDialect => ({
  datePart: (part, { sql: date }) => {
    if (offset === undefined) return undefined
    // Columns with a zone have the times of the session, which has the same zone.
    return parts[part](offset === 0 ? date : sql`(${date} - interval ${sql.lit(offset / 60_000)} minute)`)
  },
  // An average of whole numbers would have four decimals.
  average: (number) => sql`avg(${number} + 0e0)`,
  // The most digits that the database has; a quotient has four decimals more than its dividend.
  exactAverage: (number, places) =>
    sql`round(cast(sum(${number}) as decimal(65, 30)) / count(${number}), ${sql.lit(places)})`
})

const like: SqlDialect['like'] = (text, pattern) =>
  pattern.ignoreCase ? sql`lower(${text}) like lower(${pattern.text})` : sql`${text} like ${pattern.text}`

const regexp: SqlDialect['regexp'] = (text, { source, ignoreCase }) =>
  sql`${text} regexp ${`${ignoreCase ? '(?i)' : '(?-i)'}${source}`}`

const insertDefaults: SqlDialect['insertDefaults'] = (table, count) =>
  sql`insert into ${table.sql} () values ${sql.join(Array.from({ length: count }, () => sql`()`))}`

/** The isolation is that of the next transaction. */
const begin: SqlDialect['transactions']['begin'] = (isolation) =>
  isolation === undefined ? ['begin'] : [`set transaction isolation level ${isolation}`, 'begin']

/** Names of locks are short, and those of the whole server. */
const lockName = (key: string): Sql => sql`sha2(concat(database(), ' ', sha2(${key}, 224)), 224)`

/** MariaDB casts no points. */
const asText: SqlDialect['asText'] = (value, kind) =>
  kind === 'point' ? sql`st_astext(${value})` : sql`(convert(cast(${value} as char) using utf8mb4) collate utf8mb4_bin)`

const operandIn =
  (zone: TimeZone): SqlDialect['operand'] =>
  (kind, value) => {
    if (kind === 'decimal') return decimalOperand(String(value))
    // The driver would write infinite numbers as names.
    if (typeof value === 'number') return sql`${finite(value)}`
    return value instanceof Date ? sql`${zone.writeOperand(value)}` : sql`${value}`
  }

/** The database would compare a number with a text as floating ones, which are equal to their neighbours. */
function decimalOperand(text: string): Sql {
  const { whole, fraction } = countDigits(text) ?? noDigits
  const scale = Math.min(fraction, mostDecimals)
  if (fraction > mostDecimals || whole + fraction > mostDigits) return sql`cast(${text} as double)`
  return sql`cast(${text} as decimal(${sql.lit(mostDigits)}, ${sql.lit(scale)}))`
}

const noDigits = { whole: 0, fraction: 0 }
/** Of the type DECIMAL. */
const [mostDigits, mostDecimals] = [65, 30]

function stored(zone: TimeZone, kind: ColumnKind, value: unknown, type?: ColumnType): Sql {
  // The bytes of a string are no digits.
  if (type?.isBits === true && typeof value === 'string') return sql`cast(${value} as unsigned)`
  if (value instanceof Date && kind === 'date') return sql`${zone.write(value)}`
  if (kind === 'json') return sql`${JSON.stringify(value)}`
  if (kind !== 'point') return sql`${value}`
  if (type !== undefined && type.kind !== 'point') return sql`${JSON.stringify(value)}`
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lng' in value)) return sql`null`
  return sql`point(${Number(value.lng)}, ${Number(value.lat)})`
}

function decodeColumn(zone: TimeZone, kind: ColumnKind, value: unknown, type?: ColumnType): unknown {
  // The zero date stands for none.
  if (kind === 'date' && typeof value === 'string' && /^\d{4}-/.test(value)) return zone.read(value) ?? null
  if (type?.isBits === true && Buffer.isBuffer(value)) return decodeBits(kind, value)
  // Long numbers are sent as strings.
  if (kind === 'boolean' && type?.kind === 'number' && typeof value === 'string') return Number(value) !== 0
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}

/** Bytes of a number, the highest first. */
function decodeBits(kind: ColumnKind, bits: Buffer): unknown {
  const number = BigInt(`0x${bits.toString('hex') || '0'}`)
  if (kind === 'binary') return bits
  return kind === 'boolean' ? number !== 0n : decodeValue(kind, String(number))
}

const locks: KeyLocks = {
  take: (keys) =>
    sql`select ${sql.join(
      keys.map((key) => sql`get_lock(${lockName(key)}, @@innodb_lock_wait_timeout)`),
      sql` * `
    )} as taken`,
  release: (keys) => sql`select ${sql.join(keys.map((key) => sql`release_lock(${lockName(key)})`))}`
}

const triggers = rowTriggers((insert) => sql`for each row ${insert}`)

/** How MySQL and MariaDB log changes. @param decode reads texts as those of a column */
function mysqlChangeLog(decode: ChangeLogDialect['read']): ChangeLogDialect {
  return {
    ...triggers,
    id: 'bigint not null auto_increment primary key',
    text: 'longtext',
    now: sql`cast(unix_timestamp(now(3)) * 1000 as unsigned)`,
    // Whatever the character set of the session that writes.
    write: (value, kind) => (kind === 'binary' ? sql`hex(${value})` : sql`convert(${value} using utf8mb4)`),
    read: (kind, value) => {
      if (kind === 'binary') return Buffer.from(String(value), 'hex')
      const [, x, y] = (kind === 'point' && pointText.exec(String(value))) || []
      return x === undefined ? decode(kind, value) : { lat: Number(y), lng: Number(x) }
    },
    object: (members) => sql`json_object(${sql.join(members.flat())})`,
    listTriggers: ({ name, schema }) =>
      sql`select trigger_name as name, lower(event_manipulation) as event, action_statement as body from information_schema.triggers where event_object_schema = ${schemaName(schema)} and event_object_table = ${name}`,
    restore: ({ name, event, body }, table) => [triggers.createOne(name, table, event, sql.raw(body))]
  }
}

/** The SQL of MySQL and MariaDB, where it differs from the standard. */
export function mysqlDialect(zone: TimeZone): SqlDialect {
  const decode: SqlDialect['decode'] = (kind, value, type) => decodeColumn(zone, kind, value, type)
  return {
    ...standardSql,
    name: 'mysql',
    notation: { ...standardSql.notation, quote: quoteName },
    mappingKeys: ['mysql', 'mariadb'],
    longestName: { length: 64, unit: 'characters' },
    types: mysqlTypes,
    holdsNul: true,
    // An insert that becomes an update does so for any unique value, also one of another row.
    returning: false,
    noLimit: sql`18446744073709551615`,
    defaultName: (name) => name,
    operand: operandIn(zone),
    stored: (kind, value, type) => stored(zone, kind, value, type),
    decode,
    asText,
    like,
    regexp,
    json: mysqlJson,
    // LB3: a point is kept as (longitude, latitude).
    coordinate: (point, part) => sql`${sql.raw(part === 'lat' ? 'st_y' : 'st_x')}(${point})`,
    insertDefaults,
    idStep: sql`select @@session.auto_increment_increment as step`,
    readsNoChanged: true,
    castsWidely: true,
    exactText,
    transactions: { begin, readSnapshots: true, locks },
    fault: mysqlFault,
    aggregate: mysqlAggregate(zone),
    changeLog: mysqlChangeLog(decode),
    schema: mysqlSchema(zone),
    catalog: mysqlCatalog
  }
}
