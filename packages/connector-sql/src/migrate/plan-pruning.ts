import { sql } from '../sql.ts'
import type { PlanContext, TablePlan } from './plan-context.ts'
import { dropForeignKey } from './plan-foreign-keys.ts'
import { dropColumn, type PlannedStep, step, type StepBack } from './planned-step.ts'
import { restoreIndex } from './restore.ts'

/** Drops the columns of a table that no model of the data source has, and the indexes and foreign keys that they are part of. */
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
    notes.add(`the column ${name} of ${table.name} stays: it has a foreign key, and this database drops none`)
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
      return step('dropIndex', table, `the index ${index.name} of ${table.name}, gone`, statement, back)
    })
  ]
}
