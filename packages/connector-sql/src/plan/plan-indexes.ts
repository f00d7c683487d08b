import { sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { columnsOf, createIndex } from './define-table.ts'
import { fitName, takeName } from '../table/fit-name.ts'
import { type PlanContext, type TablePlan, type PlannedStep, step, restoreIndex } from './planned-step.ts'
import { indexesOf, type TableIndex } from '../table/table-indexes.ts'
import type { ExistingIndex } from './table-state.ts'

type Context = Pick<PlanContext, 'dialect'>

/** Creates missing indexes. An index on other columns with the name of a missing one is dropped first. */
export function planIndexes(context: Context, plan: TablePlan, hasRecords: boolean): readonly PlannedStep[] {
  const { table, state } = plan
  return indexesOf(table).flatMap((index) => {
    if (state.indexes.some((existing) => serves(context, existing, index))) return []
    const replaced = planReplaced(context, plan, index, hasRecords)
    return [...replaced, planIndex(context, plan, index, hasRecords)]
  })
}

function serves({ dialect }: Context, existing: ExistingIndex, index: TableIndex): boolean {
  const columns = dialect.schema.names.fold(columnsOf(index))
  return existing.isPlain && existing.columns === columns && (existing.unique || !index.unique)
}

/** Some model of the table requires it. */
function isWanted(context: Context, { table, siblings }: TablePlan, existing: ExistingIndex): boolean {
  return (
    existing.isPrimary ||
    [table, ...siblings].some((each) => indexesOf(each).some((index) => serves(context, existing, index)))
  )
}

function planReplaced(
  context: Context,
  plan: TablePlan,
  index: TableIndex,
  hasRecords: boolean
): readonly PlannedStep[] {
  const { dialect } = context
  const { names, online } = dialect.schema
  const name = names.fold(fitName(dialect, index.name))
  const old = plan.state.indexes.find((existing) => names.fold(existing.name) === name)
  if (old === undefined || isWanted(context, plan, old)) return []
  const isOnline = hasRecords && plan.state.relation === 'table' && !old.isConstraint
  const dropped = dropIndex(context, plan, old, isOnline ? online?.kind : undefined)
  // The old one is there until the new one can be made.
  const unique = index.unique ? index : undefined
  return [{ ...dropped, unique, online: isOnline ? online?.indexOf(old.name, plan.table) : undefined }]
}

function dropIndex({ dialect }: Context, plan: TablePlan, old: ExistingIndex, how = sql``): PlannedStep {
  const { table, state, indexNames } = plan
  state.indexes.splice(state.indexes.indexOf(old), 1)
  indexNames.delete(dialect.schema.names.fold(old.name))
  const statement = old.isConstraint
    ? sql`alter table ${table.sql} drop constraint ${sql.id(old.name)}`
    : dialect.schema.dropIndex(old.name, table, how)
  const back = restoreIndex(dialect, plan, old)
  return step('dropIndex', table, `the index ${old.name} of ${table.name} (${old.columns}), removed`, statement, back)
}

function planIndex({ dialect }: Context, plan: TablePlan, index: TableIndex, hasRecords: boolean): PlannedStep {
  const { table, state, indexNames } = plan
  const { names, online } = dialect.schema
  const name = takeName({ ...dialect, fold: names.fold }, indexNames, index.name)
  const columns = columnsOf(index)
  const shared = { isPrimary: false, isConstraint: false, isPlain: true }
  state.indexes.push({ name, columns: names.fold(columns), unique: index.unique, ...shared })
  const typeOf = (column: { name: string }): string => state.columns.get(names.fold(column.name))?.baseType ?? ''
  const what = `${index.unique ? 'the unique index' : 'the index'} ${name} of ${table.name} (${columns})`
  const isOnline = hasRecords && state.relation === 'table'
  const how = isOnline ? online?.kind : undefined
  const made = step('createIndex', table, what, createIndex(dialect, table, { ...index, name }, { typeOf, how }))
  if (!hasRecords) return made
  const unique = index.unique ? index : undefined
  const back = { run: [dialect.schema.dropIndex(name, table, how ?? sql``)] }
  return { ...made, back, unique, online: isOnline ? online?.indexOf(name, table) : undefined }
}

/** Finds unique indexes that no model declares: they refuse records. With `prunes` they are dropped, else noted. */
export function planUnwanted(
  context: Context,
  plan: TablePlan,
  { prunes, notes }: { prunes: boolean; notes: Set<string> }
): readonly PlannedStep[] {
  const unwanted = plan.state.indexes.filter(
    (index) => index.unique && index.isPlain && !isOfModels(context, plan, index)
  )
  if (prunes) return unwanted.map((index) => dropIndex(context, plan, index))
  for (const { name, columns } of unwanted)
    notes.add(`the unique index ${name} of ${plan.table.name} (${columns}) refuses records, but no model declares it`)
  return []
}

/** An id, or a unique value, of some model; or of a column that no model has, which is the business of others. */
function isOfModels(context: Context, plan: TablePlan, existing: ExistingIndex): boolean {
  if (isWanted(context, plan, existing)) return true
  const { fold } = context.dialect.schema.names
  const tables: readonly SqlTable[] = [plan.table, ...plan.siblings]
  const columns = tables.flatMap((each) => each.columns)
  const ids = tables.map((each) =>
    each.columns
      .filter(({ property }) => property.id)
      .map(({ name }) => fold(name))
      .toSorted()
      .join()
  )
  const isDeclared = existing.columns.split(',').every((name) => columns.some((column) => fold(column.name) === name))
  return ids.includes(existing.columns.split(',').toSorted().join()) || !isDeclared
}
