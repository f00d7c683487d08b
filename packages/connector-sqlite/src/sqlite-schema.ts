import { isOneStatement } from './is-one-statement.ts'
import { type ColumnKind, momentOf, plainLiteral, type SchemaDialect, sql } from '@modelwire/connector-sql'

const types: Readonly<Record<ColumnKind, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  decimal: 'TEXT',
  boolean: 'BOOLEAN',
  // Milliseconds, as LoopBack's driver stores a date.
  date: 'DATETIME',
  binary: 'BLOB',
  // Text columns, whose type name shows the content.
  point: 'POINT TEXT',
  json: 'JSON TEXT'
}

/** How SQLite creates tables. Its schemas are files, which are not made here. */
export const sqliteSchema: SchemaDialect = {
  names: {
    fold: (name) => name.toLowerCase(),
    foldTable: (name) => name.toLowerCase(),
    shared: { of: 'indexes', list: () => sql`select name from sqlite_schema` }
  },
  literal,
  presentTime: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  columnType: ({ kind, property }) => (property.type.kind === 'integer' ? 'BIGINT' : types[kind]),
  generatedId: () => 'INTEGER PRIMARY KEY AUTOINCREMENT',
  generatedType: () => 'INTEGER',
  addsForeignKeys: false,
  dropForeignKey: 'drop constraint',
  // A transaction has the right to write from its beginning, and no other one has it then.
  lock: { kind: 'transaction', take: undefined },
  isOneStatement,
  listColumns: ({ name }) => sql`
    select c.name as name, c.type as type, c."notnull" as is_required, c.pk > 0 as is_key,
      (select max(type) from sqlite_schema where name = ${name} collate nocase and type in ('table', 'view')) as relation,
      case when c.hidden > 0 or (c.pk = 1 and lower(c.type) = 'integer') then 2
        when c.dflt_value is not null and lower(c.dflt_value) <> 'null' then 1 else 0 end as has_default
    from pragma_table_xinfo(${name}) c where c.hidden <> 1`,
  normalType: (type) =>
    type
      .toLowerCase()
      .replaceAll(/ ?([(,]) ?/g, '$1')
      .trim(),
  listIndexes: ({ name }) =>
    sql`select (select group_concat(name) from (select name from pragma_index_info(list.name) order by seqno)) as columns, list.name as name, list."unique" as is_unique, list.origin = 'pk' as is_primary, 0 as is_constraint, list.partial = 0 and not exists (select 1 from pragma_index_info(list.name) where name is null) as is_plain from pragma_index_list(${name}) as list`,
  listForeignKeys: ({ name }) =>
    sql`select id as name, "from" as column_name, null as target_schema, "table" as target, "to" as target_column, on_delete from pragma_foreign_key_list(${name}) order by id, seq`,
  indexColumn: (column, descending) => (descending ? sql`${column.sql} desc` : column.sql),
  dropIndex: (name, { schema }) => sql`drop index ${schema === undefined ? sql.id(name) : sql.id(schema, name)}`,
  placeIndex: (kind, name, table, columns) => {
    const place = table.schema === undefined ? sql.id(name) : sql.id(table.schema, name)
    return sql`${kind} ${place} on ${sql.id(table.name)} (${columns})`
  }
}

function literal(kind: ColumnKind, value: unknown): string | undefined {
  if (kind !== 'text' && kind !== 'json') return kind === 'date' ? momentText(value) : plainLiteral(kind, value)
  const text = kind === 'json' ? JSON.stringify(value) : value
  // Backslashes are characters like others.
  return typeof text !== 'string' || text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`
}

const momentText = (value: unknown): string | undefined => momentOf(value)?.getTime().toString()
