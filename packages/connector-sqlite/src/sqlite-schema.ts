import {
  type CatalogDialect,
  momentOf,
  type SchemaDialect,
  sql,
  standardLiteral,
  standardSchema
} from '@modelwire/connector-sql'
import { sqliteTypes } from './sqlite-types.ts'

/** Texts, names and comments, in which a semicolon ends nothing. */
const opaque = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g

/** How SQLite creates tables. Its schemas are files, which are not created here. */
export const sqliteSchema: SchemaDialect = {
  ...standardSchema(sqliteTypes),
  names: {
    fold: (name) => name.toLowerCase(),
    foldTable: (name) => name.toLowerCase(),
    shared: { of: 'indexes', list: () => sql`select name from sqlite_schema` }
  },
  literal: (kind, value) => (kind === 'date' ? momentText(value) : standardLiteral(kind, value)),
  presentTime: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  generatedId: () => ({ alone: 'INTEGER PRIMARY KEY AUTOINCREMENT', type: 'INTEGER' }),
  changesDefaults: false,
  addsForeignKeys: false,
  // A transaction has the right to write from its beginning, and no other one has it then.
  lock: { kind: 'transaction', take: undefined },
  isOneStatement,
  placeIndex: (kind, name, table, columns) => {
    const place = table.schema === undefined ? sql.id(name) : sql.id(table.schema, name)
    return sql`${kind} ${place} on ${sql.id(table.name)} (${columns})`
  }
}

/** How SQLite's catalog is read. A number that is the only key is generated, with or without AUTOINCREMENT. */
export const sqliteCatalog: CatalogDialect = {
  listTables: (_schema, views) => sql`
    select name, null as owner, type from sqlite_schema
    where name not glob 'sqlite_*' and (type = 'table' or (${views ? 1 : 0} and type = 'view'))
    order by name`,
  describeColumns: ({ name }) => sql`
    select c.name as name, lower(c.type) as data_type, null as length, null as num_precision, null as num_scale,
      case when c."notnull" or c.pk then 0 else 1 end as nullable,
      case when c.pk and lower(c.type) = 'integer' and (select count(*) from pragma_table_info(${name}) where pk) = 1 then 1 else 0 end as is_generated,
      0 as is_identity, c.hidden in (2, 3) as is_computed, coalesce(lower(c.dflt_value), 'null') <> 'null' as has_default,
      c.pk as key_position, 'PRIMARY' as key_name
    from pragma_table_xinfo(${name}) c
    where c.hidden <> 1
    order by c.cid`,
  // Collations of columns stand in the text of their table alone.
  listColumns: ({ name, schema }) => sql`
    select c.name as name, c.type as type, c."notnull" as is_required, c.pk > 0 as is_key,
      t.type as relation, case when t.type = 'view' then 'of a view' when t.sql like '%collate%' then 'its table names a collation' end as may_be_wide,
      case when c.hidden > 0 or (c.pk = 1 and lower(c.type) = 'integer') then 2
        when c.dflt_value is not null and lower(c.dflt_value) <> 'null' then 1 else 0 end as has_default,
      c.hidden in (2, 3) as is_computed, case when c.hidden = 0 then c.dflt_value end as default_text
    from ${schema === undefined ? sql.id('sqlite_schema') : sql.id(schema, 'sqlite_schema')} t, pragma_table_xinfo(t.name) c
    where t.name = ${name} collate nocase and t.type in ('table', 'view') and c.hidden <> 1`,
  listChecks: ({ name, schema }) =>
    sql`select sql as name from ${schema === undefined ? sql.id('sqlite_schema') : sql.id(schema, 'sqlite_schema')} where name = ${name} collate nocase`,
  listIndexes: ({ name }) =>
    sql`select (select group_concat(name) from (select name from pragma_index_info(list.name) order by seqno)) as columns, list.name as name, list."unique" as is_unique, list.origin = 'pk' as is_primary, 0 as is_constraint, list.partial = 0 and not exists (select 1 from pragma_index_info(list.name) where name is null) as is_plain from pragma_index_list(${name}) as list`,
  listForeignKeys: ({ name }) =>
    sql`select id as name, "from" as column_name, null as target_schema, "table" as target, "to" as target_column, on_delete from pragma_foreign_key_list(${name}) order by id, seq`
}

const momentText = (value: unknown): string | undefined => momentOf(value)?.getTime().toString()

/** False for a text with several statements. The statements of a trigger belong to it. */
export function isOneStatement(text: string): boolean {
  const plain = text.replaceAll(opaque, (part) => (part.startsWith('--') || part.startsWith('/*') ? ' ' : 'x'))
  if (/^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i.test(plain)) return !/;\s*end\s*;+[^;]*[^;\s]/i.test(plain)
  return !/;[^;]*[^;\s]/.test(plain)
}
