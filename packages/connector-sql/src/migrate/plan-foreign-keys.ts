import { sql } from '../sql.ts'
import { defineForeignKey } from './define-table.ts'
import { fitName, takeName } from './fit-name.ts'
import type { TableForeignKey } from './foreign-keys.ts'
import type { PlanContext, TablePlan } from './plan-context.ts'
import { type PlannedStep, step } from './planned-step.ts'
import type { KnownForeignKey } from './table-state.ts'

type Context = Pick<PlanContext, 'dialect'>

/** Makes the foreign keys that are missing, when all tables are there. */
export function planForeignKeys(context: Context, plan: TablePlan, notes: Set<string>): readonly PlannedStep[] {
  const { table, state, foreignKeys } = plan
  return foreignKeys.flatMap((key) => {
    const known = state.foreignKeys.find((each) => leadsAs(context, each, key))
    if (known === undefined) return planMissing(context, plan, key, notes)
    if (known.onDelete !== key.onDelete)
      notes.add(
        `the foreign key ${known.name} of ${table.name} is on delete ${known.onDelete || 'no action'}, and ${table.model.name} asks for ${key.onDelete || 'no action'}: drop it, and a migration makes it anew`
      )
    return []
  })
}

function leadsAs({ dialect }: Context, known: KnownForeignKey, { column, target }: TableForeignKey): boolean {
  const { fold } = dialect.schema.names
  return fold(known.columns.join()) === fold(column.name) && known.target.toLowerCase() === target.name.toLowerCase()
}

function planMissing(
  { dialect }: Context,
  { table, state, keyNames, foreignKeys }: TablePlan,
  key: TableForeignKey,
  notes: Set<string>
): readonly PlannedStep[] {
  const { schema } = dialect
  const { fold } = schema.names
  if (!schema.addsForeignKeys) {
    notes.add(
      `the foreign key ${key.name} is left out: the table ${table.name} exists, and this database adds none to it`
    )
    return []
  }
  const wanted = fold(fitName(dialect, key.name))
  const old = state.foreignKeys.find((each) => fold(each.name) === wanted)
  const isUsed = old !== undefined && foreignKeys.some((each) => leadsAs({ dialect }, old, each))
  const dropped = old === undefined || isUsed ? [] : [old]
  for (const each of dropped) {
    state.foreignKeys.splice(state.foreignKeys.indexOf(each), 1)
    keyNames.delete(fold(each.name))
  }
  const name = takeName({ ...dialect, fold }, keyNames, key.name)
  state.foreignKeys.push({ name, columns: [key.column.name], target: key.target.name, onDelete: key.onDelete })
  const add = sql`alter table ${table.sql} add ${defineForeignKey({ ...key, name })}`
  const gone = dropped.map((each) => dropForeignKey({ dialect }, table, each.name))
  return [...gone, step('addForeignKey', table, `the foreign key ${name} of ${table.name}`, add)]
}

/** A step that drops a foreign key. */
export function dropForeignKey({ dialect: { schema } }: Context, table: TablePlan['table'], name: string): PlannedStep {
  const statement = sql`alter table ${table.sql} ${sql.raw(schema.dropForeignKey)} ${sql.id(name)}`
  return step('dropForeignKey', table, `the foreign key ${name} of ${table.name}`, statement)
}
