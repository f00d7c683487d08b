import type { MigrationStep } from '@modelwire/core/connector'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { OnlineIndex, TableOptions } from '../dialect/schema-dialect.ts'
import type { TableIndex } from '../table/table-indexes.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { TableDesign } from './define-table.ts'
import type { ForeignKeyPlace, TableForeignKey } from './foreign-keys.ts'
import type { TableState, ExistingForeignKey, ExistingIndex } from './table-state.ts'

const namesOf = (list: readonly string[]): Sql => sql.join(list.map((each) => sql.id(each)))

/** The context of a plan. */
export interface PlanContext {
  readonly dialect: SqlDialect
  readonly runner: Runner
  readonly foreignKeys: ForeignKeyPlace
  /** The tables of all models of the data source, including those that are not migrated. */
  readonly all: readonly SqlTable[]
  /** The default schema of the data source, which contains the change log. */
  readonly schema: string | undefined
}

/** A table with its current and its desired state. */
export interface TablePlan {
  readonly table: SqlTable
  readonly state: TableState
  /** The table's name until it is renamed. */
  readonly former?: string | undefined
  readonly foreignKeys: readonly TableForeignKey[]
  /** The same table as other models map it. */
  readonly siblings: readonly SqlTable[]
  /** Names that new indexes cannot have, normalized by the dialect. */
  readonly indexNames: Set<string>
  /** The names of foreign keys that are in use. */
  readonly keyNames: Set<string>
}

/** How a step is undone: with statements, or by somebody who restores what is `unknown`. */
export type StepBack =
  | { readonly run: readonly Sql[]; readonly loses?: string | undefined }
  | { readonly run: readonly []; readonly unknown: string }

/** A step with the statement as executed. */
export interface PlannedStep extends Omit<MigrationStep, 'statement' | 'back'> {
  readonly sql: Sql
  readonly table: SqlTable | undefined
  /** A unique index on existing records. */
  readonly unique?: TableIndex | undefined
  /** How it is undone; absent if nothing needs to be undone. */
  readonly back?: StepBack | undefined
  /** It runs after the migration's transaction, and does not block writes. */
  readonly online?: OnlineIndex | undefined
}

/** A step for one table that loses no data, and how it is undone. */
export function step(
  kind: PlannedStep['kind'],
  table: SqlTable,
  description: string,
  statement: Sql,
  back?: StepBack
): PlannedStep {
  return { kind, model: table.model.name, description, destructive: false, sql: statement, table, back }
}

/** The location of a table under another name than its current one. */
export const placeOf = ({ schema }: Pick<SqlTable, 'schema'>, name: string): Sql =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

/** `alter table … drop column …`. */
export const dropColumn = (table: SqlTable, name: string): Sql =>
  sql`alter table ${table.sql} drop column ${sql.id(name)}`

/** The suffix of `create table` on the runner's server. */
export async function tableOptionsOf({
  dialect,
  runner
}: Pick<PlanContext, 'dialect' | 'runner'>): Promise<TableOptions> {
  const { tableOptions } = dialect.schema
  return tableOptions === undefined ? { text: '' } : tableOptions.read((await runner.run(tableOptions.ask, {})).rows)
}

/** The inputs for creating a table, from its plan. */
export function designOf({ dialect, foreignKeys: { tableOf } }: PlanContext, plan: TablePlan): TableDesign {
  const { table, foreignKeys, siblings } = plan
  return { dialect, table, foreignKeys, tableOf, siblings }
}

/** The key of a table: models with the same key share one table. */
export function tableKey({ schema: { names } }: SqlDialect, { schema, name }: SqlTable): string {
  return JSON.stringify([schema, names.foldTable(name)])
}

/**
 * Recreates an index that was dropped, in ascending order; one that does not consist of columns only must be written by
 * hand.
 */
export function restoreIndex(
  { schema }: SqlDialect,
  { table, state }: Pick<TablePlan, 'table' | 'state'>,
  { name, columns, unique, isPlain, isConstraint }: ExistingIndex
): StepBack {
  if (!isPlain) return { run: [], unknown: `the index ${name} of ${table.name} (${columns || 'an expression'})` }
  const { fold } = schema.names
  const parts = columns.split(',').map((key) => {
    const column = table.columns.find((each) => fold(each.name) === key)
    const type = state.columns.get(key)?.type ?? ''
    const written = sql.id(state.columns.get(key)?.name ?? key)
    return column === undefined ? written : schema.indexColumn(column, false, { type, unique })
  })
  const list = sql.join(parts)
  if (isConstraint) return { run: [sql`alter table ${table.sql} add constraint ${sql.id(name)} unique (${list})`] }
  return { run: [schema.placeIndex(unique ? sql`create unique index` : sql`create index`, name, table, list)] }
}

/** Recreates a foreign key that was dropped. */
export function restoreForeignKey(table: SqlTable, key: ExistingForeignKey): Sql {
  const { name, columns, target, targetColumns, targetSchema = table.schema, onDelete } = key
  const place = targetSchema === undefined ? sql.id(target) : sql.id(targetSchema, target)
  const action = onDelete === '' ? sql`` : sql` on delete ${sql.raw(onDelete)}`
  return sql`alter table ${table.sql} add constraint ${sql.id(name)} foreign key (${namesOf(columns)}) references ${place} (${namesOf(targetColumns)})${action}`
}
