import { sql } from '../sql.ts'
import type { SqlDialect } from '../dialect.ts'
import type { TablePlan } from './plan-context.ts'
import { dropForeignKey } from './plan-foreign-keys.ts'
import type { PlannedStep } from './planned-step.ts'

/** Drops the tables that exist, and what would keep them from being dropped. Their states are empty afterwards. */
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
    description: 'foreign keys are looked at when all is done',
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
}
