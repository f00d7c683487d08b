import { sql } from '../sql.ts'
import type { PlanContext, TablePlan } from './plan-context.ts'
import { type PlannedStep, step } from './planned-step.ts'

/** Drops the columns of a table that no model of the data source has, and the indexes that they are part of. */
export function planPruning({ dialect }: Pick<PlanContext, 'dialect'>, plan: TablePlan): readonly PlannedStep[] {
  const { table, siblings, state } = plan
  const { schema } = dialect
  const { fold } = schema.names
  const wanted = new Set([table, ...siblings].flatMap(({ columns }) => columns.map(({ name }) => fold(name))))
  const dropped = [...state.columns].filter(([key]) => !wanted.has(key))
  const keys = new Set(dropped.map(([key]) => key))
  // A database may refuse to drop a column of an index.
  const indexes = state.indexes.filter(
    ({ columns, isPrimary, isConstraint }) =>
      !isPrimary && !isConstraint && columns.split(',').some((column) => keys.has(column))
  )
  return [
    ...indexes.map(({ name }) =>
      step('dropIndex', table, `the index ${name} of ${table.name}, gone`, schema.dropIndex(name, table, sql``))
    ),
    ...dropped.map(([, { name }]) => {
      const statement = sql`alter table ${table.sql} drop column ${sql.id(name)}`
      return { ...step('dropColumn', table, `the column ${name} of ${table.name}`, statement), destructive: true }
    })
  ]
}
