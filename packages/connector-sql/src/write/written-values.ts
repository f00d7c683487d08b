import type { Condition, Id, Row } from '@modelwire/core/connector'
import { columnList } from '../find/select-rows.ts'
import { type Sql, sql } from '../sql.ts'
import { changedRows } from '../statement/run-statement.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { isEqual } from '../where/test-column.ts'
import type { WriteContext } from './insert-rows.ts'
import { valueOf } from './row-values.ts'

/** A change of the row with this id. */
export interface RowChange {
  readonly id: Id
  /** The written row or patch, which gets the values that are stored in place of its own. */
  readonly row: Row
  readonly statement: Sql
  /** Columns that keep their values in spite of the change. */
  readonly kept?: readonly Column[]
}

/** Runs the statement; returns how many rows it changed. */
export async function changeRow(context: WriteContext, { id, row, statement, kept = [] }: RowChange): Promise<number> {
  const { dialect, table, runner } = context
  const { changing = [], id: key, partialKey } = table
  const isRead = (column: Column): boolean => column.isComputed === true || (valueOf(column, row) ?? null) !== null
  const columns = [...changing.filter(isRead), ...kept]
  const place = { table, row }
  if (columns.length === 0 || key === undefined) return changedRows(await runner.run(statement, place))
  if (dialect.returning) {
    const stored = await runner.read(sql`${statement} returning ${columnList(columns)}`, columns, place)
    Object.assign(row, stored[0])
    return stored.length
  }
  if (partialKey !== undefined) return changedRows(await runner.run(statement, place))
  // The row stays locked until it is read: nobody else's values are shown.
  return runner.atomically(async () => {
    const count = changedRows(await runner.run(statement, place))
    const select = sql`select ${columnList(columns)} from ${table.sql} where ${isEqual(dialect, key, id)}`
    if (count > 0) Object.assign(row, (await runner.read(select, columns, place))[0])
    return count
  })
}

/** The id of the only row that a condition can match; undefined if it may match several. */
export function onlyIdIn(table: SqlTable, where: Condition | undefined): Id | undefined {
  if (where?.kind === 'and') return where.conditions.map((each) => onlyIdIn(table, each)).find((id) => id !== undefined)
  const isOne = where?.kind === 'test' && where.test === 'equals' && where.negated !== true
  if (!isOne || where.byCollation === true || where.path.length > 1) return undefined
  // The value has the type of its property.
  return where.path[0] === table.id?.property.name ? ((where.value as Id | null) ?? undefined) : undefined
}
