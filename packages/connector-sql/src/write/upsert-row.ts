import { DuplicateKey } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import { readRow } from '../find/read-row.ts'
import { columnList } from '../find/select-rows.ts'
import { isRequired } from '../migrate/define-table.ts'
import { changedRows } from '../statement/run-statement.ts'
import type { RawRow } from '../statement/statement-result.ts'
import { type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { isEqual } from '../where/test-column.ts'
import { insertInto, insertRows, raiseIds, type WriteContext } from './insert-rows.ts'
import { assignments, completeRow, valueOf } from './row-values.ts'

/** The row that is stored now, and whether it is new. */
export interface Upserted {
  readonly row: Row
  readonly created: boolean
}

/** Patches the row with the id, or inserts one: in one statement where the database reports which of them it did. */
export async function upsertRow(context: WriteContext, row: Row): Promise<Upserted> {
  const { id } = context.table
  if (id === undefined || (row[id.property.name] ?? undefined) === undefined) return insertOne(context, row)
  const { wasCreated } = context.dialect
  // An insert is refused for what the row lacks before the database looks whether the id exists.
  const isPart = context.table.columns.some((column) => isRequired(column) && valueOf(column, row) === undefined)
  // A conflict with an id that a collation takes for the same would change another record.
  return wasCreated === undefined || isPart || id.exactly !== undefined
    ? patchOrInsert(context, id, row)
    : upsertAtOnce(context, id, row, wasCreated)
}

async function insertOne(context: WriteContext, row: Row): Promise<Upserted> {
  const [inserted = {}] = await insertRows(context, [row])
  return { row: inserted, created: true }
}

async function upsertAtOnce(context: WriteContext, id: Column, row: Row, wasCreated: Sql): Promise<Upserted> {
  const { dialect, table, runner } = context
  // Something has to be set for the row to be returned.
  const changes = assignments(dialect, table, row)
  const set = changes.length === 0 ? [sql`${id.sql} = ${table.sql}.${id.sql}`] : changes
  const complete = completeRow(table, row)
  const statement = sql`${insertInto(context, [complete])} on conflict (${id.sql}) do update set ${sql.join(set)} returning ${columnList(table.columns)}, ${wasCreated} as ${sql.id('row was created')}`
  const result = await runner.run(statement, { table, row })
  const [stored = {}] = result.rows
  const created = Boolean(stored['row was created'])
  if (!created) return { row: readRow(dialect, table.columns, stored), created }
  await raiseIds(context, id, [row])
  // Properties without a value are absent, as after an insert: core then stores the defaults of a new record.
  return { row: complete, created }
}

async function patchOrInsert(context: WriteContext, id: Column, row: Row): Promise<Upserted> {
  const patched = await patchById(context, id, row)
  if (patched !== undefined) return { row: patched, created: false }
  try {
    return await insertOne(context, row)
  } catch (error) {
    // The row was inserted concurrently between the two statements. A unique value that exists fails again.
    const again = error instanceof DuplicateKey ? await patchById(context, id, row) : undefined
    if (again === undefined) throw error
    return { row: again, created: false }
  }
}

async function patchById(context: WriteContext, id: Column, row: Row): Promise<Row | undefined> {
  const { dialect, table, runner } = context
  const where = sql`where ${isEqual(dialect, id, row[id.property.name])}`
  const changes = assignments(dialect, table, row)
  const select = sql`select ${columnList(table.columns)} from ${table.sql} ${where}`
  const update = sql`update ${table.sql} set ${sql.join(changes)} ${where}`
  const read = (raw: RawRow | undefined): Row | undefined => raw && readRow(dialect, table.columns, raw)
  if (changes.length === 0) return read((await runner.run(select, { table })).rows[0])
  const place = { table, row }
  if (dialect.returning) {
    const { rows } = await runner.run(sql`${update} returning ${columnList(table.columns)}`, place)
    return read(rows[0])
  }
  const isThere = changedRows(await runner.run(update, place)) > 0
  return isThere ? read((await runner.run(select, { table })).rows[0]) : undefined
}
