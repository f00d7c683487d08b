import type { StatementListener } from '@modelwire/core/connector'
import { verbOf } from '../statement/verb-of.ts'
import type { ConnectionPool } from './pool.ts'
import { watchStatements } from './watch-statements.ts'

/** A pool that reports every statement by its verb: neither its text nor its values. */
export function withReports(pool: ConnectionPool, listener: StatementListener): ConnectionPool {
  return watchStatements(pool, (sql, start, error) =>
    listener({
      verb: verbOf(sql),
      start,
      duration: performance.now() - start,
      ...(error !== undefined && { error })
    })
  )
}
