import type { Row, TransactionConflict } from '@modelwire/core/connector'
import type { FaultPlace } from '../faults/translate-error.ts'
import type { Sql, Statement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { StatementResult } from './statement-result.ts'

/** Runs statements, in the transaction of the caller where there is one. */
export interface Runner {
  /**
   * Runs one statement. Where it fails for a reason that is the database's, the error has a code.
   * @throws {DuplicateKey} an id or a unique value exists already
   * @throws {DataSourceUnavailable} the database cannot be reached
   */
  run: (statement: Sql | Statement, place: FaultPlace) => Promise<StatementResult>
  /** The same within a transaction, which goes on as it was where the statement fails. */
  runApart: (statement: Sql, place: FaultPlace) => Promise<StatementResult>
  /** Runs one statement that gives rows of these columns, in their order: as rows of the model. Errors as of `run`. */
  read: (statement: Sql | Statement, columns: readonly Column[], place: FaultPlace) => Promise<Row[]>
  /** The error of a conflict that the database did not notice: the caller's transaction cannot be committed any more. */
  conflict: (message: string, cause?: unknown) => TransactionConflict
  /** The caller's work belongs to a transaction. */
  isInTransaction: () => boolean
  /** Runs several statements as one: all of them take effect or none. */
  atomically: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The text and parameters of a statement, to be run several times. */
  compile: (statement: Sql) => Statement
}

/** How many rows a statement changed. */
export function changedRows({ numAffectedRows }: StatementResult): number {
  return Number(numAffectedRows ?? 0)
}
