import type { StatementResult } from '@modelwire/connector-sql'

/** Updates and deletions, also those that follow a `with`. */
const changes = /^\s*(?:update|delete|with(?![^]*\binsert\s+into\b))\b/i

/**
 * Rows; of an update or a deletion how many there were, and the rows that it returns.
 * @see LoopBack 3, loopback-connector-postgresql, lib/postgresql.js, executeSQL
 */
export function scriptResult(statement: string, { rows, numAffectedRows }: StatementResult): unknown {
  if (numAffectedRows === undefined || !changes.test(statement)) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, count, rows }
}
