import { DuplicateKey } from '@modelwire/core'
import { hasOneOfKeys, keyText, type Row } from '@modelwire/core/connector'
import { readRows } from '../values/decode-value.ts'
import { columnList } from '../find/select-rows.ts'
import { changedRows, type Runner } from '../statement/run-statement.ts'
import { type Sql, sql } from '../sql.ts'
import type { StatementResult } from '../dialect/database.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { compileCondition, type WhereContext } from '../where/compile-condition.ts'
import { idOf } from '../where/row-key.ts'
import { isOneOf } from '../where/test-column.ts'
import { completeRow, lacksId, storedValue, valueOf } from './row-values.ts'

/** The context of a write. */
export interface WriteContext extends WhereContext {
  readonly runner: Runner
}

/** Databases take no more parameters than this in one statement: the lowest of their limits. */
const parametersAtOnce = 30_000

/**
 * Stores rows in batches of some thousand per statement, all or none, and returns them with their ids and the stored values
 * of properties that they do not set.
 *
 * Rows with and without an id are stored separately, since all rows in a statement have the same columns, and so are those that
 * leave out other columns which the database fills.
 */
export async function insertRows(context: WriteContext, rows: readonly Row[]): Promise<Row[]> {
  const { table } = context
  return storeRows(context, rows, table.model.registry.rules.leavesOutUnsent ? [] : table.columns)
}

/**
 * Stores rows and returns them with their ids.
 * @param shown columns whose stored values rows get that lack them
 */
export async function storeRows(
  context: WriteContext,
  rows: readonly Row[],
  shown: readonly Column[] = []
): Promise<Row[]> {
  const complete = rows.map((row) => completeRow(context.table, row))
  const portions = divide(context.table, complete).map((portion) => absentIn(context, portion, shown))
  const store = async (): Promise<void> => {
    for (const portion of portions) await insertPortion(context, portion)
  }
  const readsBack = portions.some(({ read }) => read.length > 0)
  await (portions.length > 1 || readsBack ? context.runner.atomically(store) : store())
  return complete
}

/** Rows of one statement, and the columns that some of them lack. */
interface Portion {
  readonly rows: readonly Row[]
  /** Columns that become null. */
  readonly nulls: readonly Column[]
  /** Columns that no row sets, so that the database's defaults apply, and those that may change values: the insert returns them. */
  readonly returned: readonly Column[]
  /** The same if an insert returns nothing: of those that no row sets, only those with a default are read. */
  readonly read: readonly Column[]
}

function absentIn({ dialect, table }: WriteContext, rows: readonly Row[], shown: readonly Column[]): Portion {
  const { id, changing = [], partialKey } = table
  const isWritten = (column: Column): boolean => rows.some((row) => (valueOf(column, row) ?? null) !== null)
  const changed = shown.length === 0 ? [] : changing.filter((column) => column !== id && isWritten(column))
  const [nulls, unwritten]: [Column[], Column[]] = [[], [...changed]]
  for (const column of shown) {
    if (column === id || column.declared !== undefined) continue
    const lacking = rows.filter((row) => valueOf(column, row) === undefined).length
    const isNull = lacking < rows.length || (!dialect.returning && column.hasDefault === false)
    if (lacking > 0) (isNull ? nulls : unwritten).push(column)
  }
  if (dialect.returning) return { rows, nulls, returned: unwritten, read: [] }
  // Without an id of their own they cannot be found again: then they stay absent.
  return { rows, nulls, returned: [], read: table.key.length === 0 || partialKey !== undefined ? [] : unwritten }
}

function divide(table: SqlTable, rows: readonly Row[]): readonly (readonly Row[])[] {
  const size = Math.max(1, Math.floor(parametersAtOnce / Math.max(1, table.columns.length)))
  const filled = table.columns.filter(({ fillsItself }) => fillsItself === true)
  const portions: Row[][] = []
  let last: string | undefined
  for (const row of rows) {
    const given = filled.map((column) => valueOf(column, row) !== undefined)
    const current = [lacksId(table, row), ...given].join()
    const portion = portions.at(-1)
    if (portion === undefined || current !== last || portion.length >= size) portions.push([row])
    else portion.push(row)
    last = current
  }
  return portions
}

async function insertPortion(context: WriteContext, portion: Portion): Promise<void> {
  const { rows, nulls, read } = portion
  await insertWithIds(context, portion)
  for (const row of rows) for (const { property } of nulls) row[property.name] ??= null
  if (read.length > 0) await readAbsent(context, rows, read)
}

async function insertWithIds(context: WriteContext, { rows, returned }: Portion): Promise<void> {
  const { dialect, table } = context
  const [first] = rows
  const { id } = table
  const makesIds = first !== undefined && lacksId(table, first)
  const { idStep } = dialect
  if (makesIds && id !== undefined && idStep !== undefined && rows.length > 1)
    return insertCounted(context, { id, idStep }, rows)
  const columns = makesIds && dialect.returning && id !== undefined ? [id, ...returned] : returned
  const result = await runInsert(context, rows, columns.length === 0 ? sql`` : sql` returning ${columnList(columns)}`)
  const stored = columns.length === 0 ? [] : readRows(dialect, columns, result)
  for (const [at, values] of stored.entries()) Object.assign(rows[at] ?? {}, values)
  if (id === undefined) return
  if (!makesIds) await raiseIds(context, id, rows)
  else if (!dialect.returning) giveIds(context, id, rows, { insertId: result.insertId, step: 1n })
}

/** Gives rows what the database stored in columns that they lack. */
async function readAbsent(context: WriteContext, rows: readonly Row[], columns: readonly Column[]): Promise<void> {
  const { dialect, table, runner } = context
  const keyOf = (row: Row): unknown => idOf(table, row)
  const ids = rows.map(keyOf)
  const where =
    table.id === undefined ? compileCondition(context, hasOneOfKeys(table.model, ids)) : isOneOf(dialect, table.id, ids)
  const wanted = [...table.key, ...columns]
  const select = sql`select ${columnList(wanted)} from ${table.sql} where ${where}`
  const stored = await runner.read(select, wanted, { table })
  const byId = new Map(stored.map((row) => [keyText(keyOf(row)), row]))
  const names = columns.map(({ property }) => property.name)
  for (const row of rows) {
    const found = byId.get(keyText(keyOf(row)))
    if (found !== undefined) Object.assign(row, Object.fromEntries(names.map((name) => [name, found[name]])))
  }
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
  if (dialect.transactions.failAsWhole === true) {
    const result = await runner.run(sql`${insert} on conflict do nothing${returning}`, place)
    // It failed without an error: this one has it.
    return changedRows(result) > 0 ? result : runner.runApart(plain, place)
  }
  try {
    return await runner.run(plain, place)
  } catch (error) {
    const mayBeHidden = dialect.transactions.readSnapshots === true && error instanceof DuplicateKey
    if (!mayBeHidden || (await seesOther(context, row, error))) throw error
    throw runner.conflict('another transaction stored the same value', error)
  }
}

/** True unless the transaction does not see the record that has the row's id or unique values. */
async function seesOther(
  { dialect, table, runner }: WriteContext,
  row: Row,
  { details: { properties } }: DuplicateKey
): Promise<boolean> {
  if (properties.length === 0) return true
  const columns = properties.map((name) => table.byProperty.get(name))
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
    giveIds(context, id, rows, { insertId: result.insertId, step })
  })
}

/** `insert into … values …` for rows, with all columns that any of them sets. */
export function insertInto({ dialect, table }: WriteContext, rows: readonly Row[]): Sql {
  const columns = table.columns.filter((column) => rows.some((row) => valueOf(column, row) !== undefined))
  if (columns.length === 0) return dialect.insertDefaults(table, rows.length)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => storedValue(dialect, column, row)))})`)
  return sql`insert into ${table.sql} (${sql.join(columns.map((column) => column.sql))}) values ${sql.join(values)}`
}

/** Ids of an insert are counted up from the first one, which the driver gives. */
function giveIds(
  { dialect }: WriteContext,
  id: Column,
  rows: readonly Row[],
  { insertId = 0n, step }: Pick<StatementResult, 'insertId'> & { readonly step: bigint }
): void {
  for (const [at, row] of rows.entries())
    row[id.property.name] = dialect.decode(id.kind, String(insertId + BigInt(at) * step))
}

/** Makes the database's own ids continue after chosen ones. */
export async function raiseIds(
  { dialect, table, runner }: WriteContext,
  id: Column,
  rows: readonly Row[]
): Promise<void> {
  if (!id.property.generated || id.kind !== 'number' || dialect.raiseIds === undefined) return
  const highest = Math.max(...rows.map((row) => Number(row[id.property.name])))
  await runner.run(dialect.raiseIds(table, id, highest), { table })
}
