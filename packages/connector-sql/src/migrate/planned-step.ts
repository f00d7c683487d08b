import type { MigrationStep } from '@modelwire/core/connector'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { OnlineIndex } from './schema-dialect.ts'
import type { TableIndex } from './table-indexes.ts'

/** How a step is undone: by statements, or by somebody who restores what is `unknown`. */
export type StepBack =
  | { readonly run: readonly Sql[]; readonly loses?: string | undefined }
  | { readonly run: readonly []; readonly unknown: string }

/** A step with the statement as it is run. */
export interface PlannedStep extends Omit<MigrationStep, 'statement' | 'back'> {
  readonly sql: Sql
  readonly table: SqlTable | undefined
  /** A unique index that is made over records which are there. */
  readonly unique?: TableIndex | undefined
  /** How it is undone; absent where nothing has to be undone. */
  readonly back?: StepBack | undefined
  /** It is run when the migration's transaction is over, and does not block writes. */
  readonly online?: OnlineIndex | undefined
}

/** A step for one table that loses nothing, and how it is undone. */
export function step(
  kind: PlannedStep['kind'],
  table: SqlTable,
  description: string,
  statement: Sql,
  back?: StepBack
): PlannedStep {
  return { kind, model: table.model.name, description, destructive: false, sql: statement, table, back }
}

/** Where a table lies, by another name than its present one. */
export const placeOf = ({ schema }: Pick<SqlTable, 'schema'>, name: string): Sql =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

/** `alter table … drop column …`. */
export const dropColumn = (table: SqlTable, name: string): Sql =>
  sql`alter table ${table.sql} drop column ${sql.id(name)}`
