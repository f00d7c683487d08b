import { NotImplemented } from '@modelwire/core'
import {
  type Column,
  type ColumnKind,
  momentOf,
  plainLiteral,
  type SchemaDialect,
  type Sql,
  type SqlTable,
  sql
} from '@modelwire/connector-sql'
import { exactCollations } from './exact-text.ts'
import type { TimeZone } from './mysql-zone.ts'

const types: Readonly<Record<ColumnKind, string>> = {
  // A TEXT ends after 64 KB.
  text: 'LONGTEXT',
  number: 'DOUBLE',
  decimal: 'DECIMAL(65, 30)',
  boolean: 'TINYINT(1)',
  date: 'DATETIME(3)',
  binary: 'LONGBLOB',
  point: 'POINT',
  json: 'JSON'
}

/** Texts in a key need a length that keys can have. */
export const keyLength = 255

/** Locks belong to the server: each database has one of its own. */
const lockName = sql`concat('modelwire.', sha1(database()))`

/** How MySQL and MariaDB create tables. Texts are distinguished by their codes, as in other databases. */
export function mysqlSchema(zone: TimeZone): SchemaDialect {
  return {
    ...schemaOfAllZones,
    literal: (kind, value) => literal(zone, kind, value),
    // The connection's zone is that of the columns, unless that is the zone of the process.
    now: zone.session === undefined ? undefined : presentTime
  }
}

const schemaOfAllZones: Omit<SchemaDialect, 'literal'> = {
  names: {
    fold: (name) => name.toLowerCase(),
    foldTable: (name) => name,
    shared: {
      of: 'foreignKeys',
      list: (schema) =>
        sql`select constraint_name as name from information_schema.referential_constraints where constraint_schema = ${schemaName(schema)}`
    }
  },
  // LB3: loopback-connector-mysql makes strings as long as that.
  defaultLengths: [keyLength, 512],
  columnType,
  sizeType,
  generatedId: () => 'INT NOT NULL AUTO_INCREMENT PRIMARY KEY',
  generatedType: () => 'INT',
  addsForeignKeys: true,
  dropForeignKey: 'drop foreign key',
  // Its statements that change tables end every transaction.
  lock: {
    kind: 'connection',
    take: sql`select get_lock(${lockName}, 0) as taken`,
    release: sql`select release_lock(${lockName}) as released`
  },
  tableOptions: {
    ask: sql`select collation_name as name from information_schema.collations where collation_name in (${sql.join(exactCollations.map((name) => sql`${name}`))})`,
    read: (rows) => {
      const found = new Set(rows.map(({ name }) => name))
      const collation = exactCollations.find((name) => found.has(name))
      if (collation !== undefined) return { text: `default charset = utf8mb4 collate = ${collation}`, collation }
      throw new NotImplemented(
        `the server has no collation that tells all texts apart, ${exactCollations.join(' or ')}: use MariaDB 10.6 or MySQL 8.0.17, or newer ones`
      )
    }
  },
  listColumns,
  normalType,
  // What is not said again of the column would be lost.
  changeType: (table, column, type, { rest }) =>
    sql`alter table ${table.sql} modify column ${column.sql} ${sql.raw(`${type} ${rest}`)}`,
  listIndexes: ({ name, schema }) => sql`
    select group_concat(column_name order by seq_in_index) as columns, 1 - max(non_unique) as is_unique, index_name as name, max(index_name = 'PRIMARY') as is_primary,
      0 as is_constraint, max(column_name is null or index_type not in ('BTREE', 'HASH')) = 0 as is_plain
    from information_schema.statistics
    where table_schema = ${schemaName(schema)} and table_name = ${name}
    group by index_name`,
  listForeignKeys: ({ name, schema }) => sql`
    select k.constraint_name as name, k.column_name as column_name, k.referenced_table_schema as target_schema,
      k.referenced_table_name as target, k.referenced_column_name as target_column, r.delete_rule as on_delete
    from information_schema.key_column_usage k
    join information_schema.referential_constraints r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = ${schemaName(schema)} and k.table_name = ${name} and k.referenced_table_name is not null
      and r.constraint_schema = ${schemaName(schema)} and r.table_name = ${name}
    order by k.constraint_name, k.ordinal_position`,
  // A text of any length is found by its beginning; MariaDB tells whole ones apart by a hash.
  indexColumn: (column, descending, { type, unique }) => {
    const part = !unique && /text|blob|json/i.test(type) ? sql`${column.sql}(${sql.lit(keyLength)})` : column.sql
    return descending ? sql`${part} desc` : part
  },
  dropIndex: (name, table) => sql`drop index ${sql.id(name)} on ${table.sql}`,
  placeIndex: (kind, name, table, columns) => sql`${kind} ${sql.id(name)} on ${table.sql} (${columns})`
}

/** MariaDB has defaults as they are written, MySQL as they are. */
function listColumns({ name, schema }: Pick<SqlTable, 'name' | 'schema'>): Sql {
  return sql`
    select c.column_name as name, c.column_type as type, c.is_nullable = 'NO' as is_required,
      if(t.table_type like '%VIEW', 'view', 'table') as relation,
      case when c.extra like '%auto_increment%' or c.generation_expression <> '' then 2
        when c.column_default is not null and c.column_default <> 'NULL' then 1 else 0 end as has_default,
      c.column_key = 'PRI' as is_key,
      c.collation_name as collation,
      if(c.collation_name regexp '_(nopad|0900)_bin$', '', c.collation_name) as wide,
      concat_ws(' ',
        concat('character set ', c.character_set_name, ' collate ', c.collation_name),
        if(c.is_nullable = 'NO', 'not null', null),
        concat('default ', case
          when version() like '%MariaDB%' then c.column_default
          when c.extra like '%DEFAULT_GENERATED%' then concat('(', c.column_default, ')')
          else quote(c.column_default) end),
        if(c.column_comment = '', null, concat('comment ', quote(c.column_comment)))) as rest
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = ${schemaName(schema)} and c.table_name = ${name}
    order by c.ordinal_position`
}

/** MySQL takes defaults of long texts as expressions alone, and neither reports how it reads backslashes. */
function literal(zone: TimeZone, kind: ColumnKind, value: unknown): string | undefined {
  const moment = kind === 'date' ? momentOf(value) : undefined
  if (moment !== undefined) return `'${zone.write(moment)}'`
  const plain = plainLiteral(kind, value)
  return kind === 'text' || kind === 'json' ? plain && `(${plain})` : plain
}

function presentTime(type: string): string | undefined {
  const [, precision = ''] = /^(?:datetime|timestamp)(\(\d\))?$/i.exec(type) ?? []
  return /^(?:datetime|timestamp)/i.test(type) ? `current_timestamp${precision}` : undefined
}

/** The schema as a value; that of the connection where none is named. */
export const schemaName = (schema: string | undefined): Sql => (schema === undefined ? sql`database()` : sql`${schema}`)

function columnType({ property, kind, mapping }: Column, isKey: boolean): string {
  if (property.type.kind === 'integer') return 'BIGINT'
  const length = mapping.dataLength ?? property.definition.length ?? (isKey ? keyLength : undefined)
  const isCounted = kind === 'text' && /^[1-9][0-9]*$/.test(String(length ?? ''))
  return isCounted ? `VARCHAR(${length})` : types[kind]
}

/** The server takes `decimal` for `decimal(10, 0)`, which has no decimals. LB3: the same, or `decimal(9, 2)`. */
function sizeType(type: string): string {
  return type.replace(/^(?:decimal|numeric|dec|fixed)\b/i, types.decimal)
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['integer', 'int'],
  ['numeric', 'decimal'],
  ['dec', 'decimal'],
  ['double precision', 'double'],
  ['real', 'double'],
  ['bool', 'tinyint(1)'],
  ['boolean', 'tinyint(1)'],
  // MariaDB has no type of its own for it.
  ['json', 'longtext']
])

/** As the server writes types, without the width of whole numbers, which newer ones leave out, and without the words of enumerations. */
function normalType(type: string): string {
  const [listed] = /^(?:enum|set)\b/i.exec(type) ?? []
  if (listed !== undefined) return listed.toLowerCase()
  const plain = type
    .toLowerCase()
    .replaceAll(/ ?([(,]) ?/g, '$1')
    .trim()
  const [, name = plain, size = '', rest = ''] = /^([a-z0-9_ ]+?)(\([^)]*\))?( .*)?$/.exec(plain) ?? []
  const canonical = aliases.get(name) ?? name
  if (canonical.endsWith('int') && size !== '(1)') return `${canonical}${rest}`
  if (canonical !== 'decimal') return `${canonical}${size}${rest}`
  const written = size === '' ? '(10,0)' : size.replace(/^\((\d+)\)$/, '($1,0)')
  return `${canonical}${written}${rest}`
}
