import { DataSourceUnavailable } from '@modelwire/core'
import { TransactionConflict } from '../errors.ts'
import type { Statement } from '../sql.ts'

/** A read that met a lost connection is tried once more: another connection may be alive. */
export function isWorthAnother({ sql }: Statement, error: unknown, attempt: number): boolean {
  if (error instanceof TransactionConflict) return true
  return attempt === 1 && error instanceof DataSourceUnavailable && /^(?:select|with) /.test(sql)
}
