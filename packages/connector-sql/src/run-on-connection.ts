import { CompiledQuery } from 'kysely'
import { valuesWithBound } from './byte-bound.ts'
import type { Connection, DirectRunner, SqlDialect } from './dialect.ts'
import { readRow } from './find/read-row.ts'
import type { RawRow, StatementResult } from './run-statement.ts'
import type { Statement } from './sql.ts'

/** Runs statements on a connection of kysely's: that of a transaction, or whichever one is free. */
export function runOnConnection(dialect: SqlDialect, connection: Connection): DirectRunner {
  const run = async (statement: Statement): Promise<StatementResult> =>
    connection.executeQuery<RawRow>(CompiledQuery.raw(statement.sql, valuesWithBound(statement)))
  const read: DirectRunner['read'] = async (statement, columns) => {
    const { rows } = await run(statement)
    return rows.map((raw) => readRow(dialect, columns, raw))
  }
  return { run, read }
}
