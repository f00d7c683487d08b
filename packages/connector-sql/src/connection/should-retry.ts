import { ConnectionTimeout, TransactionConflict } from '@modelwire/core/connector'
import { DataSourceUnavailable } from '@modelwire/core'
import { StatementOutdated } from '../errors.ts'
import { isRead } from '../statement/is-read.ts'
import type { Statement } from '../sql.ts'

/** A read that met a lost connection is tried once more: another connection may be alive. */
export function shouldRetry(statement: Statement, error: unknown, attempt: number): boolean {
  if (error instanceof TransactionConflict || error instanceof StatementOutdated) return true
  const isLost = error instanceof DataSourceUnavailable && !(error instanceof ConnectionTimeout)
  return attempt === 1 && isLost && isRead(statement)
}
