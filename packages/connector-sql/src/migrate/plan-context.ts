import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableDesign } from './define-table.ts'
import type { ForeignKeyPlace, TableForeignKey } from './foreign-keys.ts'
import type { TableOptions } from './schema-dialect.ts'
import type { TableState } from './table-state.ts'

/** What a plan works with. */
export interface PlanContext {
  readonly dialect: SqlDialect
  readonly runner: Runner
  readonly foreignKeys: ForeignKeyPlace
  /** The tables of all models of the data source, also of those that are not migrated. */
  readonly all: readonly SqlTable[]
  /** The default schema of the data source, where the log of changes lies. */
  readonly schema: string | undefined
}

/** A table with what the database has of it and what it is to have. */
export interface TablePlan {
  readonly table: SqlTable
  readonly state: TableState
  /** The name that the table has until it is renamed. */
  readonly former?: string | undefined
  readonly foreignKeys: readonly TableForeignKey[]
  /** Of the same table as other models have it. */
  readonly siblings: readonly SqlTable[]
  /** Names that new indexes cannot have, as the dialect folds them. */
  readonly indexNames: Set<string>
  /** The names of foreign keys that are in use. */
  readonly keyNames: Set<string>
}

/** What stands behind the columns of `create table` on the server of the runner. */
export async function tableOptionsOf({
  dialect,
  runner
}: Pick<PlanContext, 'dialect' | 'runner'>): Promise<TableOptions> {
  const { tableOptions } = dialect.schema
  return tableOptions === undefined ? { text: '' } : tableOptions.read((await runner.run(tableOptions.ask, {})).rows)
}

/** What a table is made of, as its plan knows it. */
export function designOf({ dialect, foreignKeys: { tableOf } }: PlanContext, plan: TablePlan): TableDesign {
  const { table, foreignKeys, siblings } = plan
  return { dialect, table, foreignKeys, tableOf, siblings }
}

/** Two models with the same one have one table. */
export function tableKey({ schema: { names } }: SqlDialect, { schema, name }: SqlTable): string {
  return JSON.stringify([schema, names.foldTable(name)])
}
