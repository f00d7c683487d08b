import {
  decodeValue,
  escapeStrays,
  finite,
  type ColumnKind,
  type Sql,
  type SqlDialect,
  type SqlTable,
  sql
} from '@modelwire/connector-sql'
import { mysqlCatalog } from './mysql-catalog.ts'
import { mysqlFault } from './mysql-fault.ts'
import { mysqlItems, mysqlJsonOrder, mysqlMergeJson } from './mysql-json.ts'
import { mysqlSchema, schemaName } from './mysql-schema.ts'

/** How MySQL and MariaDB write what other databases write differently. `like` compares whole texts unless `likeAnywhere`. */
export function mysqlDialect(likeAnywhere: boolean): SqlDialect {
  return {
    name: 'mysql',
    notation: { quote: (name) => `\`${name.replaceAll('`', '``')}\``, placeholder: () => '?' },
    mappingKeys: ['mysql', 'mariadb'],
    likeAnywhere,
    returning: false,
    // An insert that becomes an update does so for any unique value, also one of another row.
    wasCreated: undefined,
    noLimit: sql`18446744073709551615`,
    defaultName: (name) => name,
    operand: (_kind, value) => sql`${typeof value === 'number' ? finite(value) : value}`,
    stored,
    decode,
    // The collation of a column decides; an index of it serves no other.
    byCode: (text) => text,
    asText: (value) => sql`cast(${value} as char)`,
    isOneOf: ({ sql: column }, values) => sql`${column} in (${sql.join(values)})`,
    like: (text, pattern) =>
      pattern.ignoreCase
        ? sql`lower(${text}) like lower(${escapeStrays(pattern.text)})`
        : sql`${text} like ${escapeStrays(pattern.text)}`,
    regexp: (text, { source, ignoreCase }) => sql`${text} regexp ${`${ignoreCase ? '(?i)' : '(?-i)'}${source}`}`,
    jsonItems: mysqlItems,
    jsonOrder: mysqlJsonOrder,
    mergeJson: mysqlMergeJson,
    // LB3: a point is kept as (longitude, latitude).
    coordinate: (point, part) => sql`${sql.raw(part === 'lat' ? 'st_y' : 'st_x')}(${point})`,
    direction: (descending) => (descending ? sql` desc` : sql``),
    insertDefaults: (table, count) =>
      sql`insert into ${table.sql} () values ${sql.join(Array.from({ length: count }, () => sql`()`))}`,
    firstInsertId: Number,
    readsChanged: false,
    listKeyTypes,
    fault: mysqlFault,
    schema: mysqlSchema,
    catalog: mysqlCatalog
  }
}

/** Texts are compared by the collation of their columns. */
function listKeyTypes({ schema, name }: SqlTable): Sql {
  return sql`
    select column_name as name, case
      when data_type in ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'float', 'double') then 'number'
      else coalesce(concat('text ', collation_name), column_type) end as type
    from information_schema.columns where table_schema = ${schemaName(schema)} and table_name = ${name}`
}

function stored(kind: ColumnKind, value: unknown): Sql {
  if (kind === 'json') return sql`${JSON.stringify(value)}`
  if (kind !== 'point') return sql`${value}`
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lng' in value)) return sql`null`
  return sql`point(${Number(value.lng)}, ${Number(value.lat)})`
}

function decode(kind: ColumnKind, value: unknown): unknown {
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}
