import type { Pool, PoolClient } from 'pg'
import { unnamed } from './prepared-statements.ts'
import { PreparedQuery } from './prepared-query.ts'

/**
 * How the server learns how long a statement may take: when a connection starts, which costs nothing; or, where a pooler
 * refuses that or passes over it, with each statement, since it may be the only one that runs on this connection of the server.
 */
export interface StatementLimit {
  /** What is sent before each statement that reads or writes; undefined where the server knows. */
  before: string | undefined
}

/** Sets the limit for a transaction, which a statement is where none is open. */
const setLimit = (milliseconds: number): string => `select set_config('statement_timeout', '${milliseconds}', true)`

/** The limit of a pool's statements, which its connections are opened with. */
export function createStatementLimit(): StatementLimit {
  return { before: undefined }
}

/** Has the limit sent with each statement of a pool from now on; connections start without it. */
function sendWithStatements(limit: StatementLimit, { options }: Pool): void {
  if (!options.statement_timeout) return
  limit.before = setLimit(options.statement_timeout)
  options.statement_timeout = undefined
}

/** True for an error with which a pooler refuses to start a connection with a limit; from then on it is sent otherwise. */
export function isRefused(limit: StatementLimit, pool: Pool, error: Error | undefined): boolean {
  if (error === undefined || !/startup parameter|statement_timeout/i.test(error.message)) return false
  sendWithStatements(limit, pool)
  return true
}

/** Checks on a new connection that the server applies the limit. Poolers accept parameters that they ignore. */
export async function checkLimit(limit: StatementLimit, pool: Pool, client: PoolClient): Promise<void> {
  if (!pool.options.statement_timeout) return
  const query = new PreparedQuery(unnamed('show statement_timeout'), [], {
    timeout: pool.options.connectionTimeoutMillis
  })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
  const [row] = query.namedRows()
  if (/^0\D*$/.test(String(row?.['statement_timeout']))) sendWithStatements(limit, pool)
}
