import type { MigrationStep } from '@modelwire/core/connector'
import type { Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { OnlineIndex } from './schema-dialect.ts'
import type { TableIndex } from './table-indexes.ts'

/** A step with the statement as it is run. */
export interface PlannedStep extends Omit<MigrationStep, 'statement'> {
  readonly sql: Sql
  readonly table: SqlTable | undefined
  /** A unique index that is made over records which are there. */
  readonly unique?: TableIndex | undefined
  /** It is run when the migration's transaction is over, and does not block writes. */
  readonly online?: OnlineIndex | undefined
}

/** A step for one table that loses nothing. */
export function step(kind: PlannedStep['kind'], table: SqlTable, description: string, statement: Sql): PlannedStep {
  return { kind, model: table.model.name, description, destructive: false, sql: statement, table }
}
