import { type ColumnKind, type SchemaDialect, sql } from '@modelwire/connector-sql'

const types: Readonly<Record<ColumnKind, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  decimal: 'TEXT',
  boolean: 'BOOLEAN',
  // Milliseconds, as LoopBack's driver stores a date.
  date: 'DATETIME',
  binary: 'BLOB',
  // Texts, with a name that tells what is in them.
  point: 'POINT TEXT',
  json: 'JSON TEXT'
}

/** How SQLite creates tables. Its schemas are files, which are not made here. */
export const sqliteSchema: SchemaDialect = {
  createSchema: () => undefined,
  columnType: ({ kind, property }) => (property.type.kind === 'integer' ? 'BIGINT' : types[kind]),
  generatedId: () => 'INTEGER PRIMARY KEY AUTOINCREMENT',
  generatedType: () => 'INTEGER',
  addsForeignKeys: false,
  dropForeignKey: 'drop constraint',
  // A transaction has the right to write from its beginning, and nobody else has it then.
  lock: { kind: 'transaction', take: undefined },
  tableOptions: '',
  listColumns: ({ name }) => sql`select name, type, "notnull" as is_required from pragma_table_info(${name})`,
  normalType: (type) =>
    type
      .toLowerCase()
      .replaceAll(/ ?([(,]) ?/g, '$1')
      .trim(),
  listIndexes: ({ name }) =>
    sql`select (select group_concat(name) from (select name from pragma_index_info(list.name) order by seqno)) as columns, list.name as name, list."unique" as is_unique, list.origin = 'pk' as is_primary from pragma_index_list(${name}) as list where list.partial = 0`,
  listForeignKeys: ({ name }) =>
    sql`select id as name, "from" as column_name, null as target_schema, "table" as target, "to" as target_column, on_delete from pragma_foreign_key_list(${name}) order by id, seq`,
  indexColumn: (column, descending) => (descending ? sql`${column.sql} desc` : column.sql),
  placeIndex: (kind, name, table, columns) => {
    const place = table.schema === undefined ? sql.id(name) : sql.id(table.schema, name)
    return sql`${kind} ${place} on ${sql.id(table.name)} (${columns})`
  }
}
