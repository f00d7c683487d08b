import type { PoolState, Row } from '@modelwire/core/connector'
import type { StatementResult } from '../statement/statement-result.ts'
import type { Statement } from '../sql.ts'
import type { Column } from '../table/column.ts'

/** Runs statements. Errors are the driver's. */
export interface StatementRunner {
  run: (statement: Statement) => Promise<StatementResult>
  /** Rows of the model from a statement that selects these columns, in their order; absent where rows of `run` are read. */
  read?: (statement: Statement, columns: readonly Column[]) => Promise<Row[]>
}

/** A connection that was taken out of a pool. It runs one statement at a time. */
export interface Connection extends StatementRunner {
  /** Gives it back to the pool, which closes it where it is broken. */
  release: (isBroken: boolean) => void
}

/** The connections of an open database. */
export interface ConnectionPool {
  /** Takes a connection, as soon as one is free. Errors are the driver's. */
  readonly connect: () => Promise<Connection>
  /** The driver's own way for statements outside of transactions, on any connection; absent where each takes one for itself. */
  readonly direct?: StatementRunner
  /** Its connections at the moment; absent where they are no pool. */
  readonly state?: () => PoolState
  /** Closes all connections. No other method is called after it. */
  readonly end: () => Promise<void>
}
