import { DuplicateKey } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import { readRows } from '../values/decode-value.ts'
import { columnList } from '../find/select-rows.ts'
import { changedRows } from '../statement/run-statement.ts'
import { type Sql, sql } from '../sql.ts'
import { isRequired } from '../table/column.ts'
import { idOf, isRow } from '../where/row-key.ts'
import { insertInto, raiseIds, insertRows, type WriteContext } from './insert-rows.ts'
import { assignments, completeRow, valueOf } from './row-values.ts'

/** The stored row, and whether it is new. */
export interface Upserted {
  readonly row: Row
  readonly created: boolean
}

/** An upsert: the row, and the whole one that is inserted if none has its id. */
interface Upsert {
  readonly id: unknown
  readonly row: Row
  readonly whole: Row
}

/** Patches the row with the id, or inserts one with `defaults`: in one statement if the database reports which of them it did. */
export async function upsertRow(context: WriteContext, row: Row, defaults: Readonly<Row> = {}): Promise<Upserted> {
  const { key } = context.table
  const id = idOf(context.table, row)
  const whole = { ...row, ...defaults }
  if (id === undefined) return insertOne(context, whole)
  const { wasCreated } = context.dialect
  // An insert is refused for what the row lacks before the database looks whether the id exists.
  const isPart = context.table.columns.some(
    (column) => isRequired(column) && column.isComputed !== true && valueOf(column, whole) === undefined
  )
  // A conflict with an id that a collation takes for the same would change another record.
  const isPartOfKey = context.table.partialKey !== undefined
  return wasCreated === undefined || isPart || isPartOfKey || key.some(({ exactly }) => exactly !== undefined)
    ? patchOrInsert(context, { id, row, whole })
    : upsertAtOnce(context, { id, row, whole }, wasCreated)
}

async function insertOne(context: WriteContext, row: Row): Promise<Upserted> {
  const [inserted = {}] = await insertRows(context, [row])
  return { row: inserted, created: true }
}

async function upsertAtOnce(context: WriteContext, { row, whole }: Upsert, wasCreated: Sql): Promise<Upserted> {
  const { dialect, table, runner } = context
  // Something has to be set for the row to be returned.
  const changes = assignments(dialect, table, row)
  const names = table.key.map((column) => column.sql)
  const set = changes.length === 0 ? names.map((name) => sql`${name} = ${table.sql}.${name}`) : changes
  const complete = completeRow(table, whole)
  const statement = sql`${insertInto(context, [complete])} on conflict (${sql.join(names)}) do update set ${sql.join(set)} returning ${columnList(table.columns)}, ${wasCreated} as ${sql.id('row was created')}`
  const result = await runner.run(statement, { table, row })
  const created = Boolean(result.rows[0]?.['row was created'])
  const [stored = {}] = readRows(dialect, table.columns, result)
  if (!created) return { row: stored, created }
  if (table.id !== undefined) await raiseIds(context, table.id, [row])
  return { row: table.model.registry.rules.leavesOutUnsent ? complete : stored, created }
}

async function patchOrInsert(context: WriteContext, { id, row, whole }: Upsert): Promise<Upserted> {
  const patched = await patchById(context, id, row)
  if (patched !== undefined) return { row: patched, created: false }
  try {
    return await insertOne(context, whole)
  } catch (error) {
    // The row was inserted concurrently between the two statements. A unique value that exists fails again.
    const again = error instanceof DuplicateKey ? await patchById(context, id, row) : undefined
    if (again === undefined) throw error
    return { row: again, created: false }
  }
}

async function patchById(context: WriteContext, id: unknown, row: Row): Promise<Row | undefined> {
  const { dialect, table, runner } = context
  const where = sql`where ${isRow(context, id)}`
  const changes = assignments(dialect, table, row)
  const select = sql`select ${columnList(table.columns)} from ${table.sql} ${where}`
  const update = sql`update ${table.sql} set ${sql.join(changes)} ${where}`
  const place = { table, row }
  const read = async (statement: Sql): Promise<Row | undefined> =>
    (await runner.read(statement, table.columns, place))[0]
  if (changes.length === 0) return read(select)
  if (dialect.returning) return read(sql`${update} returning ${columnList(table.columns)}`)
  return changedRows(await runner.run(update, place)) > 0 ? read(select) : undefined
}
