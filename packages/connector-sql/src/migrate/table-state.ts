import type { RawRow, Runner } from '../run-statement.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** An index that a table has. */
export interface KnownIndex {
  /** Names with commas between them. */
  readonly columns: string
  readonly unique: boolean
}

/** A foreign key that a table has. */
export interface KnownForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  /** The table that it leads to. */
  readonly target: string
}

/** A column that a table has. */
export interface KnownColumn {
  /** As the database writes it. */
  readonly type: string
  /** It must not be null. */
  readonly isRequired: boolean
}

/** What the database has of a table. Plans note in it what they are about to make. */
export interface TableState {
  exists: boolean
  readonly columns: Map<string, KnownColumn>
  readonly indexes: KnownIndex[]
  readonly foreignKeys: KnownForeignKey[]
}

/** Asks the database for a table, all that it has at once. */
export async function readTableState(dialect: SqlDialect, runner: Runner, table: SqlTable): Promise<TableState> {
  const { schema } = dialect
  const { rows } = await runner.run(schema.listColumns(table), { table })
  const columns = new Map(rows.map((row) => [String(row['name']), readColumn(row)]))
  if (columns.size === 0) return { exists: false, columns, indexes: [], foreignKeys: [] }
  const indexes = await runner.run(schema.listIndexes(table), { table })
  const foreignKeys = await runner.run(schema.listForeignKeys(table), { table })
  return {
    exists: true,
    columns,
    indexes: indexes.rows.map(readIndex),
    foreignKeys: readForeignKeys(foreignKeys.rows)
  }
}

function readColumn(row: RawRow): KnownColumn {
  return { type: String(row['type']), isRequired: Boolean(Number(row['is_required'])) }
}

function readIndex(row: RawRow): KnownIndex {
  return { columns: String(row['columns']), unique: Boolean(Number(row['is_unique'])) }
}

function readForeignKeys(rows: readonly RawRow[]): KnownForeignKey[] {
  const names = new Set(rows.map((row) => String(row['name'])))
  return Array.from(names, (name) => {
    const own = rows.filter((row) => String(row['name']) === name)
    const columns = own.map((row) => String(row['column_name']))
    return { name, columns, target: String(own[0]?.['target']) }
  })
}
