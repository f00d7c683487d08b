import type { Row } from '@modelwire/core/connector'
import { columnList } from '../find/select-rows.ts'
import { type Sql, sql } from '../sql.ts'
import { changedRows } from '../statement/run-statement.ts'
import type { Column } from '../table/column.ts'
import type { WriteContext } from './insert-rows.ts'
import { valueOf } from './row-values.ts'

/** A change of one row. */
export interface RowChange {
  /** Writes the condition on its id: only databases that do not return what they store need it. */
  readonly only: () => Sql
  /** The written row or patch, which gets the values that are stored in place of its own. */
  readonly row: Row
  readonly statement: Sql
  /** Columns that keep their values in spite of the change. */
  readonly kept?: readonly Column[]
}

/** Runs the statement; returns how many rows it changed. */
export async function changeRow(
  context: WriteContext,
  { only, row, statement, kept = [] }: RowChange
): Promise<number> {
  const { dialect, table, runner } = context
  const { changing = [], partialKey } = table
  const isRead = (column: Column): boolean => column.isComputed === true || (valueOf(column, row) ?? null) !== null
  const columns = [...changing.filter(isRead), ...kept]
  const place = { table, row }
  if (columns.length === 0) return changedRows(await runner.run(statement, place))
  if (dialect.returning) {
    const stored = await runner.read(sql`${statement} returning ${columnList(columns)}`, columns, place)
    Object.assign(row, stored[0])
    return stored.length
  }
  if (partialKey !== undefined) return changedRows(await runner.run(statement, place))
  // The row stays locked until it is read: nobody else's values are shown.
  return runner.atomically(async () => {
    const count = changedRows(await runner.run(statement, place))
    const select = sql`select ${columnList(columns)} from ${table.sql} where ${only()}`
    if (count > 0) Object.assign(row, (await runner.read(select, columns, place))[0])
    return count
  })
}
