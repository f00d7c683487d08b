import { type Column, type ColumnKind, type SchemaDialect, type Sql, sql } from '@modelwire/connector-sql'

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

/** How MySQL and MariaDB create tables. Texts are told apart by their codes, as in other databases. */
export const mysqlSchema: SchemaDialect = {
  createSchema: () => undefined,
  columnType,
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
  tableOptions: 'default charset = utf8mb4 collate = utf8mb4_bin',
  listColumns: ({ name, schema }) =>
    sql`select column_name as name, column_type as type, is_nullable = 'NO' as is_required from information_schema.columns where table_schema = ${schemaName(schema)} and table_name = ${name}`,
  normalType,
  changeType: (table, column, type, isRequired) =>
    sql`alter table ${table.sql} modify column ${column.sql} ${sql.raw(type)}${sql.raw(isRequired ? ' not null' : '')}`,
  listIndexes: ({ name, schema }) => sql`
    select group_concat(column_name order by seq_in_index) as columns, 1 - max(non_unique) as is_unique, index_name as name, max(index_name = 'PRIMARY') as is_primary
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
  indexColumn: (column, descending) => (descending ? sql`${column.sql} desc` : column.sql),
  placeIndex: (kind, name, table, columns) => sql`${kind} ${sql.id(name)} on ${table.sql} (${columns})`
}

/** The schema as a value; that of the connection where none is named. */
export const schemaName = (schema: string | undefined): Sql => (schema === undefined ? sql`database()` : sql`${schema}`)

function columnType({ property, kind, mapping }: Column, isKey: boolean): string {
  if (property.type.kind === 'integer') return 'BIGINT'
  const length = mapping.dataLength ?? property.definition.length ?? (isKey ? keyLength : undefined)
  const isCounted = kind === 'text' && /^[1-9][0-9]*$/.test(String(length ?? ''))
  return isCounted ? `VARCHAR(${length})` : types[kind]
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

/** As the server writes types, without the width of whole numbers, which newer ones leave out. */
function normalType(type: string): string {
  const plain = type
    .toLowerCase()
    .replaceAll(/ ?([(,]) ?/g, '$1')
    .trim()
  const [, name = plain, size = '', rest = ''] = /^([a-z0-9_ ]+?)(\([^)]*\))?( .*)?$/.exec(plain) ?? []
  const known = aliases.get(name) ?? name
  if (known.endsWith('int') && size !== '(1)') return `${known}${rest}`
  if (known !== 'decimal') return `${known}${size}${rest}`
  const written = size === '' ? '(10,0)' : size.replace(/^\((\d+)\)$/, '($1,0)')
  return `${known}${written}${rest}`
}
