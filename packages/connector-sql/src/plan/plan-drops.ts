import { sql } from '../sql.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import {
  type TablePlan,
  type PlanContext,
  type PlannedStep,
  dropColumn,
  step,
  type StepBack,
  restoreIndex
} from './planned-step.ts'
import { dropForeignKey } from './plan-foreign-keys.ts'

/** Drops existing tables, and what would prevent that. Their states are empty afterwards. */
export function planDrops(dialect: SqlDialect, plans: readonly TablePlan[]): readonly PlannedStep[] {
  const states = new Set<TablePlan['state']>()
  const existing = plans.filter(({ state }) => {
    const isFirst = state.exists && !states.has(state)
    states.add(state)
    return isFirst
  })
  const released = dialect.schema.addsForeignKeys ? dropForeignKeys(dialect, existing) : deferForeignKeys(existing)
  const dropped = existing.map((plan): PlannedStep => {
    const { table } = plan
    clear(dialect, plan)
    const description = `the table ${table.name} with all of its records`
    const shared = { kind: 'dropTable', model: table.model.name, description, destructive: true, table } as const
    return { ...shared, sql: sql`drop table ${table.sql}` }
  })
  return [...released, ...dropped]
}

function dropForeignKeys(dialect: SqlDialect, plans: readonly TablePlan[]): readonly PlannedStep[] {
  return plans.flatMap(({ table, state }) => state.foreignKeys.map((key) => dropForeignKey({ dialect }, table, key)))
}

/** A table that others refer to can only be dropped when its records are gone, which they may be at the end alone. */
function deferForeignKeys(plans: readonly TablePlan[]): readonly PlannedStep[] {
  if (plans.every(({ state }) => state.foreignKeys.length === 0)) return []
  const first: PlannedStep = {
    kind: 'prepare',
    model: undefined,
    description: 'foreign keys are checked once all steps are done',
    destructive: false,
    sql: sql`pragma defer_foreign_keys = on`,
    table: undefined
  }
  const emptied = plans.map(({ table }): PlannedStep => ({
    kind: 'emptyTable',
    model: table.model.name,
    description: `the records of ${table.name}`,
    destructive: true,
    sql: sql`delete from ${table.sql}`,
    table
  }))
  return [first, ...emptied]
}

function clear({ schema }: SqlDialect, { state, indexNames, keyNames }: TablePlan): void {
  for (const { name } of state.indexes) indexNames.delete(schema.names.fold(name))
  for (const { name } of state.foreignKeys) keyNames.delete(schema.names.fold(name))
  state.exists = false
  state.columns.clear()
  state.indexes.length = 0
  state.foreignKeys.length = 0
  state.checks.length = 0
}

/**
 * Drops the columns of a table that no model of the data source declares, and the indexes and foreign keys that include
 * them.
 */
export function planPruning(
  { dialect }: Pick<PlanContext, 'dialect'>,
  { table, siblings, state }: TablePlan,
  notes: Set<string>
): readonly PlannedStep[] {
  const { schema } = dialect
  const { fold } = schema.names
  const wanted = new Set([table, ...siblings].flatMap(({ columns }) => columns.map(({ name }) => fold(name))))
  const unwanted = [...state.columns].filter(([key]) => !wanted.has(key))
  const referring = new Set(state.foreignKeys.flatMap(({ columns }) => columns.map(fold)))
  const kept = schema.addsForeignKeys ? [] : unwanted.filter(([key]) => referring.has(key))
  for (const [, { name }] of kept)
    notes.add(`the column ${name} of ${table.name} is kept: it has a foreign key, which this database cannot drop`)
  const dropped = unwanted.filter((each) => !kept.includes(each))
  const columns = dropped.map(([, { name, type }]) => {
    const what = `the column ${name} of ${table.name}`
    const back: StepBack = { run: [], unknown: `${what} (${type}) and its values` }
    const column = { table: table.name, name }
    return { ...step('dropColumn', table, what, dropColumn(table, name), back), column, destructive: true }
  })
  return [...releaseColumns(dialect, { table, state }, new Set(dropped.map(([key]) => key))), ...columns]
}

/** A database may refuse to drop a column that an index or a foreign key has. */
function releaseColumns(
  dialect: PlanContext['dialect'],
  { table, state }: Pick<TablePlan, 'table' | 'state'>,
  keys: ReadonlySet<string>
): readonly PlannedStep[] {
  const { schema } = dialect
  const references = state.foreignKeys.filter(({ columns }) =>
    columns.some((column) => keys.has(schema.names.fold(column)))
  )
  const indexes = state.indexes.filter(
    ({ columns, isPrimary, isConstraint }) =>
      !isPrimary && !isConstraint && columns.split(',').some((column) => keys.has(column))
  )
  return [
    ...references.map((key) => dropForeignKey({ dialect }, table, key)),
    ...indexes.map((index) => {
      const statement = schema.dropIndex(index.name, table, sql``)
      const back = restoreIndex(dialect, { table, state }, index)
      return step('dropIndex', table, `the index ${index.name} of ${table.name}, removed`, statement, back)
    })
  ]
}
