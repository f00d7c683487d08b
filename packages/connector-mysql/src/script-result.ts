import type { StatementResult } from '@modelwire/connector-sql'

/**
 * Rows; of a statement without rows the driver's result, and `count`.
 * @see LoopBack 3, loopback-connector-mysql, lib/mysql.js, executeSQL, which passes on the answer of the driver
 */
export function scriptResult(_statement: string, result: StatementResult): unknown {
  const { rows, numAffectedRows, numChangedRows = 0n, insertId = 0n } = result
  if (numAffectedRows === undefined) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, changedRows: Number(numChangedRows), insertId: Number(insertId), count }
}
