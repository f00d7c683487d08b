import type { Rename } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { RenameInvalid } from '../errors.ts'
import { sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { tableKey, type TablePlan, placeOf, type PlannedStep, step } from './planned-step.ts'
import type { ExistingForeignKey, TableState } from './table-state.ts'

/** A renamed column. */
interface ColumnRename {
  readonly table: SqlTable
  readonly from: string
  readonly to: string
}

/** The renamed tables and columns. */
export interface Renames {
  /** The former names of tables, by the key of the table. */
  readonly tables: ReadonlyMap<string, string>
  readonly columns: readonly ColumnRename[]
}

/**
 * Parses `table` as the former name of a new table, and `table.column` as that of a new column; there, `table` is the
 * current name.
 * @throws {RenameInvalid} no model has the table or column that something is renamed to
 */
export function readRenames(
  dialect: SqlDialect,
  tables: readonly SqlTable[],
  renames: readonly Rename[] = []
): Renames {
  const former = new Map<string, string>()
  const columns: ColumnRename[] = []
  for (const { from, to } of renames) {
    const table = tables.find((each) => from.startsWith(`${each.name}.`))
    const target = tables.find(({ name }) => name === to)
    if (table !== undefined) columns.push(readColumn(dialect, table, { from: from.slice(table.name.length + 1), to }))
    else if (target !== undefined && !from.includes('.')) former.set(tableKey(dialect, target), from)
    else
      throw new RenameInvalid(
        `${from}=${to}: no model has ${from.includes('.') ? `a table for ${from}` : `the table ${to}`}`
      )
  }
  return { tables: former, columns }
}

function readColumn(dialect: SqlDialect, table: SqlTable, { from, to }: Rename): ColumnRename {
  const { fold } = dialect.schema.names
  if (table.columns.some(({ name }) => fold(name) === fold(to))) return { table, from, to }
  throw new RenameInvalid(`${table.name}.${from}=${to}: ${table.model.name} has no property with the column ${to}`)
}

/** Renames a table, and updates the states of all tables. `state` is that of the former one. */
export function renameTable(
  { table, former }: { readonly table: SqlTable; readonly former: string },
  states: Iterable<TableState>
): PlannedStep {
  const leads = ({ target }: ExistingForeignKey): boolean => target.toLowerCase() === former.toLowerCase()
  for (const { foreignKeys } of states) {
    const present = foreignKeys.map((key) => (leads(key) ? { ...key, target: table.name } : key))
    foreignKeys.splice(0, foreignKeys.length, ...present)
  }
  const back = { run: [sql`alter table ${table.sql} rename to ${sql.id(former)}`] }
  const statement = sql`alter table ${placeOf(table, former)} rename to ${sql.id(table.name)}`
  return step('renameTable', table, `the table ${former}, renamed to ${table.name}`, statement, back)
}

/**
 * Renames columns, and updates the states of their tables.
 * @throws {RenameInvalid} there is no such column, or one has the new name already
 */
export function planColumnRenames(
  dialect: SqlDialect,
  plans: readonly TablePlan[],
  renames: readonly ColumnRename[]
): readonly PlannedStep[] {
  const { fold } = dialect.schema.names
  return renames.map(({ table, from, to }) => {
    const state = plans.find((plan) => plan.table === table)?.state
    const existing = state?.columns.get(fold(from))
    if (state === undefined || existing === undefined)
      throw new RenameInvalid(`${table.name}.${from}=${to}: the table ${table.name} has no column ${from}`)
    if (state.columns.has(fold(to)))
      throw new RenameInvalid(`${table.name}.${from}=${to}: the table ${table.name} already has a column ${to}`)
    state.columns.delete(fold(from))
    state.columns.set(fold(to), { ...existing, name: to })
    renameInKeys(state, { from: fold(from), to: fold(to) }, fold)
    const [old, present] = [sql.id(existing.name), sql.id(to)]
    const back = { run: [sql`alter table ${table.sql} rename column ${present} to ${old}`] }
    const statement = sql`alter table ${table.sql} rename column ${old} to ${present}`
    return step(
      'renameColumn',
      table,
      `the column ${existing.name} of ${table.name}, renamed to ${to}`,
      statement,
      back
    )
  })
}

/** Indexes and foreign keys go with their columns. */
function renameInKeys(state: TableState, { from, to }: Rename, fold: (name: string) => string): void {
  const renamed = (name: string): string => (fold(name) === from ? to : name)
  for (const [at, index] of state.indexes.entries())
    state.indexes[at] = { ...index, columns: index.columns.split(',').map(renamed).join(',') }
  for (const [at, key] of state.foreignKeys.entries())
    state.foreignKeys[at] = { ...key, columns: key.columns.map(renamed) }
}
