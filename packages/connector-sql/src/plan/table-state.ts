import type { Runner } from '../statement/run-statement.ts'
import type { RawRow } from '../sql.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { readStoredColumns, type StoredColumn } from '../table/stored-columns.ts'

/** An existing index of a table. */
export interface ExistingIndex {
  readonly name: string
  /** Names separated by commas, normalized by the dialect. */
  readonly columns: string
  readonly unique: boolean
  readonly isPrimary: boolean
  /** It is dropped with its constraint. */
  readonly isConstraint: boolean
  /** It covers all records, is in use, and consists of columns only: others serve no model. */
  readonly isPlain: boolean
}

/** An existing foreign key of a table. */
export interface ExistingForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  /** The table that it refers to. */
  readonly target: string
  readonly targetColumns: readonly string[]
  /** The schema of that table, if it is known to be a different one. */
  readonly targetSchema?: string | undefined
  /** What happens when the referenced record is deleted, in SQL; empty if that is refused. */
  readonly onDelete: string
}

/** The state of a table in the database. Plans update it with their own changes. */
export interface TableState {
  exists: boolean
  /** The migration creates it: it has no records. */
  isNew: boolean
  /** `view`: it is never changed. `partitioned`: creating its indexes blocks writes. */
  readonly relation: 'table' | 'view' | 'partitioned'
  /** By name, normalized by the dialect. */
  readonly columns: Map<string, StoredColumn>
  readonly indexes: ExistingIndex[]
  readonly foreignKeys: ExistingForeignKey[]
  /** The names of its check constraints; where the catalog has none, its definition. */
  readonly checks: string[]
}

/** The state of a table that does not exist. */
export function emptyState(): TableState {
  return {
    exists: false,
    isNew: false,
    relation: 'table',
    columns: new Map(),
    indexes: [],
    foreignKeys: [],
    checks: []
  }
}

/** Reads the state of a table in one query. */
export async function readTableState(
  {
    dialect,
    runner,
    all
  }: { readonly dialect: SqlDialect; readonly runner: Runner; readonly all: readonly SqlTable[] },
  table: SqlTable
): Promise<TableState> {
  const { schema, catalog } = dialect
  const { fold } = schema.names
  const { rows } = await runner.run(catalog.listColumns(table), { table })
  const columns = new Map([...readStoredColumns(rows)].map(([name, column]) => [fold(name), column]))
  const relation = relationOf(rows[0])
  if (columns.size === 0) return { ...emptyState(), relation }
  const indexes = await runner.run(catalog.listIndexes(table), { table })
  const foreignKeys = await runner.run(catalog.listForeignKeys(table), { table })
  // Several models may have one table.
  const hasChecks = all.some(({ model }) => model.checks.length > 0)
  const checks = !hasChecks ? [] : (await runner.run(catalog.listChecks(table), { table })).rows
  return {
    exists: true,
    isNew: false,
    relation,
    columns,
    indexes: indexes.rows.map((row) => readIndex(row, fold)),
    foreignKeys: readForeignKeys(foreignKeys.rows),
    checks: checks.map((row) => String(row['name']))
  }
}

function relationOf(row: RawRow | undefined): TableState['relation'] {
  const relation = row?.['relation']
  return relation === 'view' || relation === 'partitioned' ? relation : 'table'
}

function readIndex(row: RawRow, fold: (name: string) => string): ExistingIndex {
  return {
    name: String(row['name']),
    columns: fold(String(row['columns'])),
    unique: isTrue(row['is_unique']),
    isPrimary: isTrue(row['is_primary']),
    isConstraint: isTrue(row['is_constraint']),
    isPlain: isTrue(row['is_plain'])
  }
}

function isTrue(value: unknown): boolean {
  return Boolean(Number(value))
}

function readForeignKeys(rows: readonly RawRow[]): ExistingForeignKey[] {
  const names = new Set(rows.map((row) => String(row['name'])))
  return Array.from(names, (name) => {
    const own = rows.filter((row) => String(row['name']) === name)
    const columns = own.map((row) => String(row['column_name']))
    const targetColumns = own.map((row) => String(row['target_column']))
    const [first] = own
    const targetSchema = typeof first?.['target_schema'] === 'string' ? first['target_schema'] : undefined
    const lead = { target: String(first?.['target']), targetColumns, targetSchema }
    return { name, columns, ...lead, onDelete: actionOf(first?.['on_delete']) }
  })
}

/** Both refuse; databases that tell them apart do so only within a transaction. */
function actionOf(written: unknown): string {
  const action = String(written ?? '').toLowerCase()
  return action === 'no action' || action === 'restrict' ? '' : action
}
