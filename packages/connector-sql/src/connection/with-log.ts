import type { StatementLog } from '../settings.ts'
import type { ConnectionPool } from './pool.ts'
import { watchStatements } from './watch-statements.ts'

/** A pool that logs every statement and its duration, also where it fails. */
export function withLog(pool: ConnectionPool, log: StatementLog): ConnectionPool {
  return watchStatements(pool, (sql, start) => log(sql, performance.now() - start))
}
