import { sql, type Sql } from '../sql.ts'
import type { ColumnKind, ColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { SqlDialect, ChangeLogDialect } from './dialect.ts'
import type { SchemaDialect } from './schema-dialect.ts'

/** The SQL of the standard, or of most databases if it is silent. Dialects spread it and override what differs. */
export const standardSql = {
  notation: { quote: (name: string) => `"${name.replaceAll('"', '""')}"`, placeholder: () => '?' },
  likeAnywhere: false,
  holdsNul: false,
  // LB3: names are in lower case unless the model file names them.
  defaultName: (name: string) => name.toLowerCase(),
  forUpdate: sql` for update`,
  returning: true,
  operand: (_kind: ColumnKind, value: unknown) => sql`${value}`,
  stored: (kind: ColumnKind, value: unknown) => sql`${kind === 'json' ? JSON.stringify(value) : value}`,
  asText: (value: Sql) => sql`cast(${value} as text)`,
  // The collation of a column decides.
  byCode: (text: Sql) => text,
  direction: (descending: boolean) => (descending ? sql` desc` : sql``),
  insertDefaults: (table: SqlTable, count: number) => insertDefaults(table, count, sql`default`),
  transactions: {
    begin: (isolation) => [isolation === undefined ? 'begin' : `start transaction isolation level ${isolation}`]
  }
} satisfies Partial<SqlDialect>

type SchemaDefaults =
  | 'literal'
  | 'now'
  | 'changesDefaults'
  | 'addsForeignKeys'
  | 'dropForeignKey'
  | 'indexColumn'
  | 'dropIndex'
  | 'placeIndex'

/** The DDL of the standard, with a database's types. */
export const standardSchema = (types: ColumnTypes): Pick<SchemaDialect, SchemaDefaults> => ({
  literal: standardLiteral,
  now: (written) =>
    types.of(written).hasNow === true ? `current_timestamp${/\(\d\)/.exec(written)?.[0] ?? ''}` : undefined,
  changesDefaults: true,
  addsForeignKeys: true,
  dropForeignKey: 'drop constraint',
  indexColumn: (column, descending) => (descending ? sql`${column.sql} desc` : column.sql),
  dropIndex: (name, table) => sql`drop index ${placed(name, table)}`,
  placeIndex: (kind, name, table, columns) => sql`${kind} ${sql.id(name)} on ${table.sql} (${columns})`
})

const events = { create: 'insert', update: 'update', remove: 'delete' } as const

const kinds = ['create', 'update', 'remove'] as const

/** How to create row triggers, one per event. */
interface RowTriggers extends Pick<ChangeLogDialect, 'namesOf' | 'create' | 'drop'> {
  readonly createOne: (name: string, table: SqlTable, event: string, insert: Sql) => Sql
}

/**
 * Makes row triggers, one per event.
 * @param body the SQL after the name of the table
 */
export function rowTriggers(body: (insert: Sql) => Sql): RowTriggers {
  const createOne = (name: string, table: SqlTable, event: string, insert: Sql): Sql =>
    sql`create trigger ${placed(name, table)} after ${sql.raw(event)} on ${table.sql} ${body(insert)}`
  return {
    createOne,
    namesOf: (name) => kinds.map((kind) => `${name}_${kind}`),
    create: ({ name, table, insert }) =>
      kinds.map((kind) => createOne(`${name}_${kind}`, table, events[kind], insert(kind))),
    drop: (name, table) => sql`drop trigger if exists ${placed(name, table)}`
  }
}

/** What has its name in the schema of a table. */
const placed = (name: string, { schema }: Pick<SqlTable, 'schema'>): Sql =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

/**
 * Inserts rows without values.
 * @param absent the SQL for an id that the database generates
 */
export function insertDefaults({ sql: table, id }: SqlTable, count: number, absent: Sql): Sql {
  if (count === 1 || id === undefined) return sql`insert into ${table} default values`
  return sql`insert into ${table} (${id.sql}) values ${sql.join(Array.from({ length: count }, () => sql`(${absent})`))}`
}

const texts: Readonly<Partial<Record<ColumnKind, (value: unknown) => unknown>>> = {
  text: (value) => value,
  json: (value) => JSON.stringify(value),
  date: (value) => momentOf(value)?.toISOString()
}

/** A value as an SQL literal; undefined if it has none. Backslashes are ordinary characters. */
export function standardLiteral(kind: ColumnKind, value: unknown): string | undefined {
  const write = texts[kind]
  if (write === undefined) return plainLiteral(kind, value)
  const text = write(value)
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  return String(text).includes('\0') ? undefined : `'${String(text).replaceAll("'", "''")}'`
}

/** Literals that all databases write alike: numbers, and strings without backslashes. Undefined for others. */
export function plainLiteral(kind: ColumnKind, value: unknown): string | undefined {
  if (kind === 'number' || kind === 'decimal') return numberLiteral(value)
  if (kind === 'boolean') return typeof value === 'boolean' ? String(value) : undefined
  if (kind === 'json') return textLiteral(JSON.stringify(value))
  return kind === 'text' && (typeof value === 'string' || typeof value === 'number')
    ? textLiteral(String(value))
    : undefined
}

function numberLiteral(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? text : undefined
}

/** Databases do not agree about backslashes. */
function textLiteral(text: string): string | undefined {
  return text.includes('\\') || text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`
}

/** The time of a date's default; undefined if it is not a date. */
export function momentOf(value: unknown): Date | undefined {
  if (!(value instanceof Date) && typeof value !== 'string' && typeof value !== 'number') return undefined
  const moment = new Date(value)
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : undefined
}
