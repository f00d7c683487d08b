import type { Column, ColumnKind, SchemaDialect } from '@modelwire/connector-sql'
import { sql } from 'kysely'

const types: Readonly<Record<ColumnKind, string>> = {
  // A TEXT ends after 64 KB.
  text: 'LONGTEXT',
  number: 'DOUBLE',
  boolean: 'TINYINT(1)',
  date: 'DATETIME(3)',
  binary: 'LONGBLOB',
  point: 'POINT',
  json: 'JSON'
}

/** Texts in a key need a length that keys can have. */
const keyLength = 255

/** How MySQL and MariaDB create tables. Texts are told apart by their codes, as in other databases. */
export const mysqlSchema: SchemaDialect = {
  createSchema: () => undefined,
  columnType,
  generatedId: 'INT NOT NULL AUTO_INCREMENT PRIMARY KEY',
  tableOptions: 'default charset = utf8mb4 collate = utf8mb4_bin',
  listColumns: ({ name, schema }) =>
    sql`select column_name as name from information_schema.columns where table_schema = ${schemaName(schema)} and table_name = ${name}`,
  listIndexes: ({ name, schema }) => sql`
    select group_concat(column_name order by seq_in_index) as columns
    from information_schema.statistics
    where table_schema = ${schemaName(schema)} and table_name = ${name}
    group by index_name`,
  indexColumn: (column, descending) => (descending ? sql`${column.sql} desc` : column.sql),
  placeIndex: (kind, name, table, columns) => sql`${kind} ${sql.id(name)} on ${table.sql} (${columns})`
}

const schemaName = (schema: string | undefined) => (schema === undefined ? sql`database()` : sql`${schema}`)

function columnType({ property, kind, mapping }: Column, isKey: boolean): string {
  if (property.type.kind === 'integer') return 'BIGINT'
  const length = mapping.dataLength ?? property.definition.length ?? (isKey ? keyLength : undefined)
  const isCounted = kind === 'text' && /^[1-9][0-9]*$/.test(String(length ?? ''))
  return isCounted ? `VARCHAR(${length})` : types[kind]
}
