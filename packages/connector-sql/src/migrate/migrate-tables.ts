import { sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../run-statement.ts'
import type { Sql } from '../sql.ts'
import type { Column, SqlTable } from '../table/sql-table.ts'
import { indexesOf, type TableIndex } from './table-indexes.ts'

/** What a migration works with. */
export interface MigrateContext {
  readonly dialect: SqlDialect
  readonly runner: Runner
}

/**
 * Makes tables ready for their models: creates what is missing of tables, columns and indexes, and leaves alone what is
 * there. With `empty` each table is dropped first.
 * @see LoopBack 3: loopback-connector, lib/sql.js, automigrate and autoupdate
 */
export async function migrateTables(
  context: MigrateContext,
  tables: readonly SqlTable[],
  empty: boolean
): Promise<void> {
  const schemas = new Set(tables.map(({ schema }) => schema))
  for (const schema of schemas) await createSchema(context, schema)
  for (const table of tables) await migrateTable(context, table, empty)
}

async function createSchema({ dialect, runner }: MigrateContext, schema: string | undefined): Promise<void> {
  const statement = schema === undefined ? undefined : dialect.schema.createSchema(schema)
  if (statement !== undefined) await runner.run(statement, {})
}

async function migrateTable(context: MigrateContext, table: SqlTable, empty: boolean): Promise<void> {
  const { dialect, runner } = context
  if (empty) await runner.run(sql`drop table if exists ${table.sql}`, { table })
  const { rows } = await runner.run(dialect.schema.listColumns(table), { table })
  if (rows.length === 0) await runner.run(createTable(dialect, table), { table })
  else await addColumns(context, table, new Set(rows.map(({ name }) => String(name))))
  await addIndexes(context, table)
}

function createTable(dialect: SqlDialect, table: SqlTable): Sql {
  const indexed = indexedColumns(table)
  const columns = table.columns.map((column) => defineColumn(dialect, column, indexed.has(column)))
  const keys = table.columns.filter(({ property }) => property.id)
  const [only] = keys
  const isMade = keys.length === 1 && only !== undefined && isGenerated(only)
  const primary = isMade || keys.length === 0 ? [] : [sql`primary key (${sql.join(keys.map((key) => key.sql))})`]
  return sql`create table ${table.sql} (${sql.join([...columns, ...primary])}) ${sql.raw(dialect.schema.tableOptions)}`
}

function defineColumn(dialect: SqlDialect, column: Column, isIndexed: boolean): Sql {
  const { property, mapping } = column
  if (isGenerated(column)) return sql`${column.sql} ${sql.raw(dialect.schema.generatedId)}`
  // The pattern of `dataType` in the mapping lets nothing but a type's name and its lengths pass.
  const type = sql.raw(writtenType(column) ?? dialect.schema.columnType(column, property.id || isIndexed))
  const isRequired = property.id || property.required || isNotNullable(mapping.nullable)
  return isRequired ? sql`${column.sql} ${type} not null` : sql`${column.sql} ${type}`
}

/** The type that the model file names, with its length or its precision. */
function writtenType({ mapping }: Column): string | undefined {
  const { dataType, dataLength, dataPrecision, dataScale } = mapping
  if (dataType === undefined || dataType.includes('(')) return dataType
  const size = dataLength ?? (dataPrecision !== undefined && [dataPrecision, dataScale ?? 0].join(', '))
  return size === false ? dataType : `${dataType}(${size})`
}

function isNotNullable(nullable: unknown): boolean {
  return nullable === false || (typeof nullable === 'string' && /^n/i.test(nullable))
}

function isGenerated({ property, kind, mapping }: Column): boolean {
  return property.id && property.generated && kind === 'number' && mapping.dataType === undefined
}

/** Rows that are there have no value for a new column, so it may be empty whatever the model says. */
async function addColumns(
  { dialect, runner }: MigrateContext,
  table: SqlTable,
  known: ReadonlySet<string>
): Promise<void> {
  const indexed = indexedColumns(table)
  for (const column of table.columns.filter(({ name }) => !known.has(name))) {
    const type = sql.raw(writtenType(column) ?? dialect.schema.columnType(column, indexed.has(column)))
    await runner.run(sql`alter table ${table.sql} add column ${column.sql} ${type}`, { table })
  }
}

async function addIndexes({ dialect, runner }: MigrateContext, table: SqlTable): Promise<void> {
  const wanted = indexesOf(table)
  if (wanted.length === 0) return
  const { rows } = await runner.run(dialect.schema.listIndexes(table), { table })
  const known = new Set(rows.map(({ columns }) => String(columns)))
  for (const index of wanted.filter((each) => !known.has(columnsOf(each)))) {
    await runner.run(createIndex(dialect, table, index), { table })
  }
}

function createIndex(dialect: SqlDialect, table: SqlTable, { name, parts, unique }: TableIndex): Sql {
  const columns = parts.map(({ column, descending }) => dialect.schema.indexColumn(column, descending))
  const kind = unique ? sql`create unique index` : sql`create index`
  return dialect.schema.placeIndex(kind, name, table, sql.join(columns))
}

function indexedColumns(table: SqlTable): ReadonlySet<Column> {
  return new Set(indexesOf(table).flatMap(({ parts }) => parts.map(({ column }) => column)))
}

function columnsOf({ parts }: TableIndex): string {
  return parts.map(({ column }) => column.name).join(',')
}
