import type { Column, ColumnKind, SchemaDialect, SqlTable } from '@modelwire/connector-sql'
import { sql } from 'kysely'

const types: Readonly<Record<ColumnKind, string>> = {
  text: 'TEXT COLLATE "C"',
  number: 'DOUBLE PRECISION',
  boolean: 'BOOLEAN',
  date: 'TIMESTAMP WITH TIME ZONE',
  binary: 'BYTEA',
  point: 'POINT',
  json: 'JSONB'
}

/** How PostgreSQL creates tables. Texts are ordered by their codes, so that indexes serve conditions and orders. */
export const postgresqlSchema: SchemaDialect = {
  // Everybody has this one, though not everybody may create it.
  createSchema: (schema) => (schema === 'public' ? undefined : sql`create schema if not exists ${sql.id(schema)}`),
  columnType,
  generatedId: 'SERIAL PRIMARY KEY',
  tableOptions: '',
  listColumns: ({ name, schema }) =>
    sql`select column_name as name from information_schema.columns where table_schema = ${schema} and table_name = ${name}`,
  listIndexes: ({ name, schema }) => sql`
    select (
      select string_agg(a.attname, ',' order by k.place)
      from unnest(i.indkey::smallint[]) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    ) as columns
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where t.relname = ${name} and n.nspname = ${schema}`,
  // Null stands first where the order asks for it, and last in the other direction.
  indexColumn: (column, descending) =>
    sql`${column.sql}${column.isText ? sql` collate "C"` : sql``} ${sql.raw(descending ? 'desc nulls last' : 'asc nulls first')}`,
  placeIndex: (kind, name, table: SqlTable, columns) => sql`${kind} ${sql.id(name)} on ${table.sql} (${columns})`
}

function columnType({ property, kind, mapping }: Column): string {
  if (property.type.kind === 'integer') return 'BIGINT'
  const length = mapping.dataLength ?? property.definition.length
  const isCounted = kind === 'text' && /^[1-9][0-9]*$/.test(String(length ?? ''))
  return isCounted ? `CHARACTER VARYING(${length}) COLLATE "C"` : types[kind]
}
