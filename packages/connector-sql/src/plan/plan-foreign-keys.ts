import { type Sql, sql } from '../sql.ts'
import { defineForeignKey, typeText } from './define-table.ts'
import type { ColumnTypes } from '../table/column-types.ts'
import { fitName, takeName } from '../table/fit-name.ts'
import type { TableForeignKey } from './foreign-keys.ts'
import {
  designOf,
  type PlanContext,
  type TablePlan,
  type PlannedStep,
  step,
  restoreForeignKey
} from './planned-step.ts'
import type { ExistingForeignKey } from './table-state.ts'

type Context = Pick<PlanContext, 'dialect'>

/** Creates missing foreign keys, once all tables exist. */
export function planForeignKeys(context: PlanContext, plan: TablePlan, notes: Set<string>): readonly PlannedStep[] {
  const { table, state, foreignKeys } = plan
  return foreignKeys.flatMap((key) => {
    const existing = state.foreignKeys.find((each) => leadsAs(context, each, key))
    if (existing === undefined) return planMissing(context, plan, key, notes)
    if (existing.onDelete !== key.onDelete && context.dialect.schema.addsForeignKeys)
      notes.add(
        `the foreign key ${existing.name} of ${table.name} is on delete ${existing.onDelete || 'no action'}, but ${table.model.name} requires ${key.onDelete || 'no action'}: drop it, and a migration recreates it`
      )
    return []
  })
}

function leadsAs({ dialect }: Context, existing: ExistingForeignKey, { column, target }: TableForeignKey): boolean {
  const { fold } = dialect.schema.names
  return (
    fold(existing.columns.join()) === fold(column.name) && existing.target.toLowerCase() === target.name.toLowerCase()
  )
}

/** Why a foreign key cannot be made; undefined where it can. */
function whyNot(
  context: PlanContext,
  plan: TablePlan,
  { column, target, targetColumn }: TableForeignKey
): string | undefined {
  const { schema, types } = context.dialect
  if (!schema.addsForeignKeys)
    return `the table ${plan.table.name} already exists, and this database cannot add one to it`
  const had = types.normal(plan.state.columns.get(schema.names.fold(column.name))?.type ?? '')
  const wanted = types.normal(typeText(designOf(context, plan), column))
  if (isFloating(types, had) === isFloating(types, wanted)) return undefined
  return `the column ${column.name} of ${plan.table.name} is ${had}, but ${targetColumn.name} of ${target.name} is ${wanted}`
}

const isFloating = (types: ColumnTypes, written: string): boolean => {
  const { kind, digits } = types.of(written)
  return kind === 'number' && digits === undefined
}

function planMissing(
  context: PlanContext,
  plan: TablePlan,
  key: TableForeignKey,
  notes: Set<string>
): readonly PlannedStep[] {
  const { table, state, keyNames, foreignKeys } = plan
  const { dialect } = context
  const { fold } = dialect.schema.names
  const reason = whyNot(context, plan, key)
  if (reason !== undefined) {
    notes.add(`the foreign key ${key.name} is left out: ${reason}`)
    return []
  }
  const wanted = fold(fitName(dialect, key.name))
  const old = state.foreignKeys.find((each) => fold(each.name) === wanted)
  const isUsed = old !== undefined && foreignKeys.some((each) => leadsAs(context, old, each))
  const dropped = old === undefined || isUsed ? [] : [old]
  for (const each of dropped) {
    state.foreignKeys.splice(state.foreignKeys.indexOf(each), 1)
    keyNames.delete(fold(each.name))
  }
  const name = freeName(context, plan, key)
  state.foreignKeys.push(designKey(key, name))
  const add = sql`alter table ${table.sql} add ${defineForeignKey({ ...key, name })}`
  const gone = dropped.map((each) => dropForeignKey(context, table, each))
  const back = { run: [dropForeignKeyText(context, table, name)] }
  return [...gone, step('addForeignKey', table, `the foreign key ${name} of ${table.name}`, add, back)]
}

/** Where keys have names of their schema, they have indexes of these names, too. */
function freeName({ dialect }: Context, { keyNames, indexNames }: TablePlan, key: TableForeignKey): string {
  const { fold, shared } = dialect.schema.names
  const taken = shared.of === 'foreignKeys' ? new Set([...keyNames, ...indexNames]) : keyNames
  const name = takeName({ ...dialect, fold }, taken, key.name)
  keyNames.add(fold(name))
  return name
}

/** The state of a foreign key once it is created. */
export function designKey(key: TableForeignKey, name: string): ExistingForeignKey {
  const { column, target, targetColumn, onDelete } = key
  return { name, columns: [column.name], target: target.name, targetColumns: [targetColumn.name], onDelete }
}

/** A step that drops a foreign key. */
export function dropForeignKey(context: Context, table: TablePlan['table'], key: ExistingForeignKey): PlannedStep {
  const statement = dropForeignKeyText(context, table, key.name)
  const what = `the foreign key ${key.name} of ${table.name}`
  return step('dropForeignKey', table, what, statement, { run: [restoreForeignKey(table, key)] })
}

function dropForeignKeyText({ dialect: { schema } }: Context, table: TablePlan['table'], name: string): Sql {
  return sql`alter table ${table.sql} ${sql.raw(schema.dropForeignKey)} ${sql.id(name)}`
}
