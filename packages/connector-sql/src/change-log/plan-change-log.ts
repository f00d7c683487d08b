import { InvalidDefinition } from '@modelwire/core/connector'
import type { PlanContext, TablePlan } from '../migrate/plan-context.ts'
import { placeOf, type PlannedStep, step } from '../migrate/planned-step.ts'
import type { ExistingTrigger } from './change-log-dialect.ts'
import { logName, logParts, logTableIn } from './log-table.ts'
import { type TableTriggers, triggerPrefix, triggersOf } from './table-triggers.ts'

/** What is done to the log and its triggers: those that are not wanted go before others come. */
export interface PlannedLog {
  readonly dropped: readonly PlannedStep[]
  readonly made: readonly PlannedStep[]
}

/**
 * Makes the log and the triggers that write it, for models that log their changes, and drops those of models that do not any more.
 * @throws {InvalidDefinition} the database has no triggers that could
 */
export async function planChangeLog(
  context: PlanContext,
  plans: readonly TablePlan[],
  fromNothing: boolean
): Promise<PlannedLog> {
  const { changeLog } = context.dialect
  const logging = plans.filter(({ table }) => table.model.logsChanges)
  const [first] = logging
  if (changeLog === undefined) {
    if (first !== undefined) throw cannotLog(first.table.model.name)
    return { dropped: [], made: [] }
  }
  const tables = first === undefined ? [] : await planLog(context, fromNothing)
  const firsts = plans.filter(({ state }, at) => plans.findIndex((each) => each.state === state) === at)
  const triggers: PlannedLog[] = []
  for (const plan of firsts) triggers.push(await planTriggers(context, plan))
  return {
    dropped: triggers.flatMap(({ dropped }) => dropped),
    made: [...tables, ...triggers.flatMap(({ made }) => made)]
  }
}

/** The model cannot have the setting with this database. */
export function cannotLog(model: string): InvalidDefinition {
  return new InvalidDefinition('the database cannot log changes: remove changeLog, or keep the model elsewhere', {
    model,
    key: 'changeLog'
  })
}

async function planLog(
  { dialect, runner, schema }: PlanContext,
  fromNothing: boolean
): Promise<readonly PlannedStep[]> {
  const { rows } = fromNothing
    ? { rows: [] }
    : await runner.run(dialect.schema.listColumns({ name: logName, schema }), {})
  if (rows.length > 0) return []
  const shared = { model: undefined, destructive: false, table: undefined }
  return logParts(dialect, logTableIn(schema)).map(({ back, ...part }) => ({
    ...part,
    ...shared,
    back: back === undefined ? undefined : { run: [back], loses: part.description }
  }))
}

/** The table's triggers as they are to be; others of that kind are dropped. */
async function planTriggers({ dialect, runner, schema }: PlanContext, plan: TablePlan): Promise<PlannedLog> {
  const { changeLog } = dialect
  const { table, siblings, state, former = table.name } = plan
  if (changeLog === undefined) return { dropped: [], made: [] }
  const formerTable = { ...table, name: former, sql: placeOf(table, former) }
  const existing = state.isNew ? [] : await readTriggers({ dialect, runner }, formerTable)
  const log = { columns: state.columns, log: logTableIn(schema) }
  const wanted = combine(
    [table, ...siblings]
      .filter(({ model }) => model.logsChanges)
      .map((each) => triggersOf({ ...dialect, changeLog }, each, log))
  )
  if (wanted.names.length === existing.length && existing.every(({ name }) => wanted.names.includes(name)))
    return { dropped: [], made: [] }
  const what = `the triggers that log changes of ${table.name}`
  const dropped = existing.map((trigger) => {
    const back = { run: changeLog.restore(trigger, formerTable) }
    return step('dropTrigger', table, what, changeLog.drop(trigger.name, table), back)
  })
  const undo = { run: wanted.names.map((name) => changeLog.drop(name, table)) }
  const made = wanted.statements.map((statement, at) =>
    step('createTrigger', table, what, statement, at === 0 ? undo : { run: [] })
  )
  return { dropped, made }
}

const combine = (each: readonly TableTriggers[]): TableTriggers => ({
  names: each.flatMap(({ names }) => names),
  statements: each.flatMap(({ statements }) => statements)
})

/** The triggers that log changes of a table. */
export async function readTriggers(
  { dialect, runner }: Pick<PlanContext, 'dialect' | 'runner'>,
  table: TablePlan['table']
): Promise<readonly ExistingTrigger[]> {
  if (dialect.changeLog === undefined) return []
  const { rows } = await runner.run(dialect.changeLog.listTriggers(table), { table })
  return rows
    .map(({ name, event, body }) => ({ name: String(name), event: String(event ?? ''), body: String(body) }))
    .filter(({ name }) => name.startsWith(triggerPrefix))
}
