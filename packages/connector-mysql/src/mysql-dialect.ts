import {
  decodeValue,
  finite,
  type ColumnKind,
  type Sql,
  type SqlDialect,
  type SqlTable,
  sql
} from '@modelwire/connector-sql'
import { countDigits } from '@modelwire/core/connector'
import { mysqlCatalog } from './mysql-catalog.ts'
import { mysqlAggregate } from './mysql-aggregate.ts'
import { mysqlChangeLog } from './mysql-change-log.ts'
import { mysqlFault } from './mysql-fault.ts'
import { exactText, isExactCollation } from './exact-text.ts'
import { mysqlItems, mysqlJsonOrder, mysqlMergeJson } from './mysql-json.ts'
import { mysqlSchema, schemaName } from './mysql-schema.ts'
import type { TimeZone } from './mysql-zone.ts'
import { quoteName } from './quote-name.ts'

/** How MySQL and MariaDB write what other databases write differently. `like` compares whole texts unless `likeAnywhere`. */
export function mysqlDialect(likeAnywhere: boolean, zone: TimeZone): SqlDialect {
  const operand = operandIn(zone)
  return {
    name: 'mysql',
    notation: { quote: quoteName, placeholder: () => '?' },
    mappingKeys: ['mysql', 'mariadb'],
    likeAnywhere,
    ...holds,
    forUpdate: sql` for update`,
    returning: false,
    // An insert that becomes an update does so for any unique value, also one of another row.
    wasCreated: undefined,
    noLimit: sql`18446744073709551615`,
    defaultName: (name) => name,
    operand,
    stored: (kind, value) => stored(zone, kind, value),
    decode: (kind, value) => decode(zone, kind, value),
    byCode,
    asText,
    isOneOf: isOneOfIn(operand),
    like,
    regexp,
    ...json,
    // LB3: a point is kept as (longitude, latitude).
    coordinate: (point, part) => sql`${sql.raw(part === 'lat' ? 'st_y' : 'st_x')}(${point})`,
    direction: (descending) => (descending ? sql` desc` : sql``),
    insertDefaults,
    ...generatedIds,
    readsChanged: false,
    exactness,
    fault: mysqlFault,
    aggregate: mysqlAggregate(zone),
    changeLog: mysqlChangeLog((kind, value) => decode(zone, kind, value)),
    ...transactions,
    schema: mysqlSchema(zone),
    catalog: mysqlCatalog
  }
}

const holds: Pick<SqlDialect, 'holdsNul' | 'longestName' | 'holdsDecimals'> = {
  holdsNul: true,
  longestName: { length: 64, unit: 'characters' },
  holdsDecimals: true
}

const generatedIds: Pick<SqlDialect, 'firstInsertId' | 'idStep'> = {
  firstInsertId: (insertId) => insertId ?? 0n,
  idStep: sql`select @@session.auto_increment_increment as step`
}

const like: SqlDialect['like'] = (text, pattern) =>
  pattern.ignoreCase ? sql`lower(${text}) like lower(${pattern.text})` : sql`${text} like ${pattern.text}`

const regexp: SqlDialect['regexp'] = (text, { source, ignoreCase }) =>
  sql`${text} regexp ${`${ignoreCase ? '(?i)' : '(?-i)'}${source}`}`

const isOneOfIn =
  (operand: SqlDialect['operand']): SqlDialect['isOneOf'] =>
  ({ kind, sql: column }, values) =>
    sql`${column} in (${sql.join(values.map((value) => operand(kind, value)))})`

const insertDefaults: SqlDialect['insertDefaults'] = (table, count) =>
  sql`insert into ${table.sql} () values ${sql.join(Array.from({ length: count }, () => sql`()`))}`

/** The collation of a column decides; an index of it serves no other. */
const byCode: SqlDialect['byCode'] = (text) => text

/** The isolation is that of the next transaction. */
const begin: SqlDialect['begin'] = (isolation) =>
  isolation === undefined ? ['begin'] : [`set transaction isolation level ${isolation}`, 'begin']

/** Names of locks are short, and those of the whole server. */
const lockName = (key: string): Sql => sql`sha2(concat(database(), ' ', sha2(${key}, 224)), 224)`

const transactions: Pick<SqlDialect, 'begin' | 'readsSnapshots' | 'locks'> = {
  begin,
  readsSnapshots: true,
  locks: {
    take: (keys) =>
      sql`select ${sql.join(
        keys.map((key) => sql`get_lock(${lockName(key)}, @@innodb_lock_wait_timeout)`),
        sql` * `
      )} as taken`,
    release: (keys) => sql`select ${sql.join(keys.map((key) => sql`release_lock(${lockName(key)})`))}`
  }
}

/** MariaDB casts no points. */
const asText: SqlDialect['asText'] = (value, kind) =>
  kind === 'point' ? sql`st_astext(${value})` : sql`cast(${value} as char)`

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

/** Texts are compared by the collation of their columns. */
function listTypes({ schema, name }: SqlTable): Sql {
  return sql`
    select column_name as name, case
      when data_type in ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'float', 'double') then 'number'
      else coalesce(concat('text ', collation_name), column_type) end as type
    from information_schema.columns where table_schema = ${schemaName(schema)} and table_name = ${name}`
}

function stored(zone: TimeZone, kind: ColumnKind, value: unknown): Sql {
  if (value instanceof Date && kind === 'date') return sql`${zone.write(value)}`
  if (kind === 'json') return sql`${JSON.stringify(value)}`
  if (kind !== 'point') return sql`${value}`
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lng' in value)) return sql`null`
  return sql`point(${Number(value.lng)}, ${Number(value.lat)})`
}

function decode(zone: TimeZone, kind: ColumnKind, value: unknown): unknown {
  if (kind === 'date' && typeof value === 'string' && /^\d{4}-/.test(value)) return zone.read(value)
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}

const json: Pick<SqlDialect, 'jsonItems' | 'jsonOrder' | 'mergeJson'> = {
  jsonItems: mysqlItems,
  jsonOrder: mysqlJsonOrder,
  mergeJson: mysqlMergeJson
}

const exactness: SqlDialect['exactness'] = {
  ...exactText,
  listTypes,
  isExact: (type) => !/^(?:text|number)\b/.test(type) || isExactCollation(type)
}
