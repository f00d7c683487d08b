import { NotImplemented } from '@modelwire/core'
import {
  type CatalogDialect,
  type ColumnKind,
  momentOf,
  plainLiteral,
  type SchemaDialect,
  type Sql,
  type SqlTable,
  sql,
  standardSchema
} from '@modelwire/connector-sql'
import { exactCollations } from './exact-text.ts'
import { keyLength, mysqlTypes } from './mysql-types.ts'
import type { TimeZone } from './mysql-zone.ts'

/** Locks belong to the server: each database has one of its own. */
const lockName = sql`concat('modelwire.', sha1(database()))`

/** How MySQL and MariaDB create tables. Strings are distinguished by code point, as in other databases. */
export function mysqlSchema(zone: TimeZone): SchemaDialect {
  return {
    ...schemaOfAllZones,
    literal: (kind, value) => literal(zone, kind, value),
    // The connection's zone is that of the columns, unless that is the zone of the process.
    now: zone.session === undefined ? undefined : schemaOfAllZones.now
  }
}

const schemaOfAllZones: SchemaDialect = {
  ...standardSchema(mysqlTypes),
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
  generatedId: () => ({ alone: 'INT NOT NULL AUTO_INCREMENT PRIMARY KEY', type: 'INT' }),
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
        `the server has no collation that distinguishes all strings, ${exactCollations.join(' or ')}: use MariaDB 10.6 or MySQL 8.0.17, or newer ones`
      )
    }
  },
  // What is not said again of the column would be lost.
  changeType: (table, column, type, { rest }) =>
    sql`alter table ${table.sql} modify column ${column.sql} ${sql.raw(`${type} ${rest}`)}`,
  // A text of any length is found by its beginning; MariaDB tells whole ones apart by a hash.
  indexColumn: (column, descending, { type, unique }) => {
    const part = !unique && mysqlTypes.of(type).isLong === true ? sql`${column.sql}(${sql.lit(keyLength)})` : column.sql
    return descending ? sql`${part} desc` : part
  },
  dropIndex: (name, table) => sql`drop index ${sql.id(name)} on ${table.sql}`
}

/** A default in SQL: MariaDB has it as it is written, MySQL as it is. */
const defaultText = sql.raw(`case
          when version() like '%MariaDB%' then c.column_default
          when c.extra like '%DEFAULT_GENERATED%' then concat('(', c.column_default, ')')
          else quote(c.column_default) end`)

/** The columns of a table in the catalog. */
function listColumns({ name, schema }: Pick<SqlTable, 'name' | 'schema'>): Sql {
  return sql`
    select c.column_name as name, c.column_type as type, c.is_nullable = 'NO' as is_required,
      if(t.table_type like '%VIEW', 'view', 'table') as relation,
      case when c.extra like '%auto_increment%' or c.generation_expression <> '' then 2
        when c.column_default <> 'NULL' or (c.column_default is not null and version() not like '%MariaDB%') then 1 else 0 end as has_default,
      coalesce(c.generation_expression, '') <> '' as is_computed,
      ${defaultText} as default_text,
      c.column_key = 'PRI' as is_key,
      c.collation_name as collation,
      if(c.collation_name regexp '_(nopad|0900)_bin$', '', c.collation_name) as wide,
      concat_ws(' ',
        concat('character set ', c.character_set_name, ' collate ', c.collation_name),
        if(c.is_nullable = 'NO', 'not null', null),
        concat('default ', ${defaultText}),
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

/** The schema as a value; that of the connection if none is named. */
export const schemaName = (schema: string | undefined): Sql => (schema === undefined ? sql`database()` : sql`${schema}`)

/** How the catalog of MySQL and MariaDB is read. */
export const mysqlCatalog: CatalogDialect = {
  listTables: (schema, views) => sql`
    select table_name as name, table_schema as owner, case table_type when 'VIEW' then 'view' else 'table' end as type
    from information_schema.tables
    where table_schema = ${schemaName(schema)} and (table_type = 'BASE TABLE' or (${views} and table_type = 'VIEW'))
    order by table_name`,
  // MariaDB's JSON is a text with a check of this form; only MariaDB reads the comment.
  describeColumns: ({ name, schema }) => sql`
    select c.column_name as name,
      case
        when c.data_type in ('varchar', 'char', 'decimal') then c.data_type
        /*M! when c.data_type = 'longtext' and exists (
          select 1 from information_schema.check_constraints k
          where k.constraint_schema = c.table_schema and k.table_name = c.table_name and k.check_clause = concat('json_valid(\`', c.column_name, '\`)')
        ) then 'json' */
        else c.column_type
      end as data_type,
      case when c.data_type in ('varchar', 'char') then c.character_maximum_length end as length,
      case when c.data_type = 'decimal' then c.numeric_precision end as num_precision,
      case when c.data_type = 'decimal' then c.numeric_scale end as num_scale,
      c.is_nullable = 'YES' as nullable, c.extra like '%auto_increment%' as is_generated, 0 as is_identity,
      coalesce(c.generation_expression, '') <> '' as is_computed, coalesce(c.column_default, 'NULL') <> 'NULL' as has_default,
      u.ordinal_position as key_position, u.constraint_name as key_name
    from information_schema.columns c
    left join information_schema.key_column_usage u
      on u.table_schema = c.table_schema and u.table_name = c.table_name and u.column_name = c.column_name and u.constraint_name = 'PRIMARY'
    where c.table_schema = ${schemaName(schema)} and c.table_name = ${name}
    order by c.ordinal_position`,
  listColumns,
  listIndexes: ({ name, schema }) => sql`
    select group_concat(column_name order by seq_in_index) as columns, 1 - max(non_unique) as is_unique, index_name as name, max(index_name = 'PRIMARY') as is_primary,
      0 as is_constraint, max(column_name is null or index_type not in ('BTREE', 'HASH')) = 0 as is_plain
    from information_schema.statistics
    where table_schema = ${schemaName(schema)} and table_name = ${name}
    group by index_name`,
  listChecks: ({ name, schema }) => sql`
    select constraint_name as name from information_schema.table_constraints
    where constraint_type = 'CHECK' and table_schema = ${schemaName(schema)} and table_name = ${name}`,
  listForeignKeys: ({ name, schema }) => sql`
    select k.constraint_name as name, k.column_name as column_name, k.referenced_table_schema as target_schema,
      k.referenced_table_name as target, k.referenced_column_name as target_column, r.delete_rule as on_delete
    from information_schema.key_column_usage k
    join information_schema.referential_constraints r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = ${schemaName(schema)} and k.table_name = ${name} and k.referenced_table_name is not null
      and r.constraint_schema = ${schemaName(schema)} and r.table_name = ${name}
    order by k.constraint_name, k.ordinal_position`
}
