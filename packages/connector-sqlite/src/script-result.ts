import type { StatementResult } from '@modelwire/connector-sql'

/** Rows; of a statement that gives none how many it changed, and the id of the last row that was inserted. */
export function scriptResult(_statement: string, { rows, numAffectedRows, insertId }: StatementResult): unknown {
  if (numAffectedRows === undefined || rows.length > 0) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, count, ...(insertId !== undefined && { insertId: Number(insertId) }) }
}
