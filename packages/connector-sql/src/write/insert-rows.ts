import { DuplicateKey } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import { changedRows, type Runner } from '../statement/run-statement.ts'
import type { StatementResult } from '../statement/statement-result.ts'
import { type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { WhereContext } from '../where/compile-condition.ts'
import { completeRow, lacksId, storedValue, valueOf } from './row-values.ts'

/** What a write works with. */
export interface WriteContext extends WhereContext {
  readonly runner: Runner
}

/** Databases take no more parameters than this in one statement: the lowest of their limits. */
const parametersAtOnce = 30_000

/**
 * Stores rows with one statement per some thousand of them, all or none, and returns them with their ids.
 *
 * Rows with and without an id are stored apart, since in one statement all have the same columns.
 */
export async function insertRows(context: WriteContext, rows: readonly Row[]): Promise<Row[]> {
  const complete = rows.map((row) => completeRow(context.table, row))
  const portions = divide(context.table, complete)
  const store = async (): Promise<void> => {
    for (const portion of portions) await insertPortion(context, portion)
  }
  await (portions.length > 1 ? context.runner.atomically(store) : store())
  return complete
}

function divide(table: SqlTable, rows: readonly Row[]): readonly (readonly Row[])[] {
  const size = Math.max(1, Math.floor(parametersAtOnce / Math.max(1, table.columns.length)))
  const portions: Row[][] = []
  let last: boolean | undefined
  for (const row of rows) {
    const current = lacksId(table, row)
    const portion = portions.at(-1)
    if (portion === undefined || current !== last || portion.length >= size) portions.push([row])
    else portion.push(row)
    last = current
  }
  return portions
}

async function insertPortion(context: WriteContext, rows: readonly Row[]): Promise<void> {
  const { dialect, table } = context
  const [first] = rows
  const { id } = table
  const makesIds = first !== undefined && lacksId(table, first)
  const { idStep } = dialect
  if (makesIds && id !== undefined && idStep !== undefined && rows.length > 1)
    return insertCounted(context, { id, idStep }, rows)
  const returning = makesIds && dialect.returning && id !== undefined ? sql` returning ${id.sql}` : sql``
  const result = await runInsert(context, rows, returning)
  if (id === undefined) return
  if (makesIds) giveIds(context, id, rows, { ...result, step: 1n })
  else await raiseIds(context, id, rows)
}

/**
 * Stores rows. A single row whose id or unique value exists already ends no transaction, as far as the database can help it: then
 * the caller may look for the other record.
 */
async function runInsert(context: WriteContext, rows: readonly Row[], returning: Sql): Promise<StatementResult> {
  const { dialect, table, runner } = context
  const [row] = rows
  const place = { table, row }
  const insert = insertInto(context, rows)
  const plain = sql`${insert}${returning}`
  if (row === undefined || rows.length > 1 || !runner.isInTransaction()) return runner.run(plain, place)
  if (dialect.failsTransactions === true) {
    const result = await runner.run(sql`${insert} on conflict do nothing${returning}`, place)
    // It failed without an error: this one has it.
    return changedRows(result) > 0 ? result : runner.runApart(plain, place)
  }
  try {
    return await runner.run(plain, place)
  } catch (error) {
    const mayBeHidden = dialect.readsSnapshots === true && error instanceof DuplicateKey
    if (!mayBeHidden || (await seesOther(context, row, error))) throw error
    throw runner.conflict('another transaction stored the same value', error)
  }
}

/** True unless the transaction does not see the record that has the row's id or unique values. */
async function seesOther(
  { dialect, table, runner }: WriteContext,
  row: Row,
  { property }: DuplicateKey
): Promise<boolean> {
  const columns = property.split(', ').map((name) => table.byProperty.get(name))
  const tests = columns.map((column) =>
    column === undefined || (valueOf(column, row) ?? null) === null
      ? undefined
      : sql`${column.sql} = ${storedValue(dialect, column, row)}`
  )
  if (!tests.every((test) => test !== undefined)) return true
  const where = sql.join(tests, sql` and `)
  const select = sql`select 1 as ${sql.id('seen')} from ${table.sql} where ${where} limit 1`
  return (await runner.run(select, { table })).rows.length > 0
}

/** A cluster gives each node ids of its own, several apart, and others when a node comes or goes. */
async function insertCounted(
  context: WriteContext,
  { id, idStep }: { readonly id: Column; readonly idStep: Sql },
  rows: readonly Row[]
): Promise<void> {
  const { table, runner } = context
  const readStep = async (): Promise<bigint> => {
    const { rows: found } = await runner.run(idStep, { table })
    return BigInt(Number(found[0]?.['step'] ?? 1))
  }
  await runner.atomically(async () => {
    const step = await readStep()
    const result = await runner.run(insertInto(context, rows), { table, row: rows[0] })
    if ((await readStep()) !== step) throw runner.conflict('other ids are given since the insert')
    giveIds(context, id, rows, { ...result, step })
  })
}

/** `insert into … values …` for rows that all have the columns of any. */
export function insertInto({ dialect, table }: WriteContext, rows: readonly Row[]): Sql {
  const columns = table.columns.filter((column) => rows.some((row) => valueOf(column, row) !== undefined))
  if (columns.length === 0) return dialect.insertDefaults(table, rows.length)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => storedValue(dialect, column, row)))})`)
  return sql`insert into ${table.sql} (${sql.join(columns.map((column) => column.sql))}) values ${sql.join(values)}`
}

function giveIds(
  { dialect }: WriteContext,
  id: Column,
  rows: readonly Row[],
  { rows: returned, insertId, step }: StatementResult & { readonly step: bigint }
): void {
  const first = dialect.firstInsertId?.(insertId)
  for (const [at, row] of rows.entries()) {
    const assigned = first === undefined ? returned[at]?.[id.name] : String(first + BigInt(at) * step)
    row[id.property.name] = dialect.decode(id.kind, assigned)
  }
}

/** Lets the database's own ids go on above those that were chosen. */
export async function raiseIds(
  { dialect, table, runner }: WriteContext,
  id: Column,
  rows: readonly Row[]
): Promise<void> {
  if (!id.property.generated || id.kind !== 'number' || dialect.raiseIds === undefined) return
  const highest = Math.max(...rows.map((row) => Number(row[id.property.name])))
  await runner.run(dialect.raiseIds(table, id, highest), { table })
}
