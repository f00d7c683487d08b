import type { Runner } from '../statement/run-statement.ts'
import type { RawRow } from '../statement/statement-result.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** An index that a table has. */
export interface ExistingIndex {
  readonly name: string
  /** Names with commas between them, as the dialect folds them. */
  readonly columns: string
  readonly unique: boolean
  readonly isPrimary: boolean
  /** It is dropped with its constraint. */
  readonly isConstraint: boolean
  /** It is of all records, in use, and of nothing but columns: others serve no model. */
  readonly isPlain: boolean
}

/** A foreign key that a table has. */
export interface ExistingForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  /** The table that it leads to. */
  readonly target: string
  readonly targetColumns: readonly string[]
  /** The schema of that table, where it is known to be another one. */
  readonly targetSchema?: string | undefined
  /** What happens when the record that it leads to is deleted, in SQL's words; empty where that is refused. */
  readonly onDelete: string
}

/** A column that a table has. */
export interface ExistingColumn {
  readonly name: string
  /** As the database writes it. */
  readonly type: string
  /** It must not be null. */
  readonly isRequired: boolean
  /** It has a default, be it a counter. */
  readonly hasDefault: boolean
  /** The default is a chosen value: the database neither counts nor computes it. */
  readonly hasOwnDefault: boolean
  /** Part of the primary key. */
  readonly isKey: boolean
  /** That of a text, where keys have to share one. */
  readonly collation: string
  /** What takes different texts of it for equal; empty where nothing does. */
  readonly wide: string
  /** The rest of its definition, needed when its type changes. */
  readonly rest: string
}

/** What the database has of a table. Plans note in it what they are about to make. */
export interface TableState {
  exists: boolean
  /** The migration creates it: it has no records. */
  isNew: boolean
  /** `view`: nothing of it is changed. `partitioned`: its indexes are made while others wait. */
  readonly relation: 'table' | 'view' | 'partitioned'
  /** By their names, as the dialect folds them. */
  readonly columns: Map<string, ExistingColumn>
  readonly indexes: ExistingIndex[]
  readonly foreignKeys: ExistingForeignKey[]
}

/** The state of a table that is not there. */
export function emptyState(): TableState {
  return { exists: false, isNew: false, relation: 'table', columns: new Map(), indexes: [], foreignKeys: [] }
}

/** Reads the state of a table in one query. */
export async function readTableState(dialect: SqlDialect, runner: Runner, table: SqlTable): Promise<TableState> {
  const { schema } = dialect
  const { fold } = schema.names
  const { rows } = await runner.run(schema.listColumns(table), { table })
  const columns = new Map(rows.map((row) => [fold(String(row['name'])), readColumn(row)]))
  const relation = relationOf(rows[0])
  if (columns.size === 0) return { ...emptyState(), relation }
  const indexes = await runner.run(schema.listIndexes(table), { table })
  const foreignKeys = await runner.run(schema.listForeignKeys(table), { table })
  return {
    exists: true,
    isNew: false,
    relation,
    columns,
    indexes: indexes.rows.map((row) => readIndex(row, fold)),
    foreignKeys: readForeignKeys(foreignKeys.rows)
  }
}

function relationOf(row: RawRow | undefined): TableState['relation'] {
  const relation = row?.['relation']
  return relation === 'view' || relation === 'partitioned' ? relation : 'table'
}

function readColumn(row: RawRow): ExistingColumn {
  return {
    name: String(row['name']),
    type: String(row['type']),
    isRequired: isTrue(row['is_required']),
    hasDefault: isTrue(row['has_default']),
    hasOwnDefault: Number(row['has_default']) === 1,
    isKey: isTrue(row['is_key']),
    collation: String(row['collation'] ?? ''),
    wide: String(row['wide'] ?? ''),
    rest: String(row['rest'] ?? '')
  }
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
