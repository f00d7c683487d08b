import type { Row } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { readRow } from '../find/read-row.ts'
import type { Statement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { StatementRunner } from './pool.ts'

/** The rows of a model that a statement gives: read by the runner itself where it can. */
export function readRows(
  dialect: SqlDialect,
  columns: readonly Column[]
): (runner: StatementRunner, statement: Statement) => Promise<Row[]> {
  const readEach = async (runner: StatementRunner, statement: Statement): Promise<Row[]> => {
    const { rows } = await runner.run(statement)
    return rows.map((raw) => readRow(dialect, columns, raw))
  }
  return (runner, statement) => runner.read?.(statement, columns) ?? readEach(runner, statement)
}
