import { InvalidDefinition } from '@modelwire/core/connector'
import { type PlanContext, type TablePlan, tableOptionsOf } from '../migrate/plan-context.ts'
import { placeOf, type PlannedStep, step } from '../migrate/planned-step.ts'
import type { ChangeLogDialect, ExistingTrigger } from './change-log-dialect.ts'
import { logName, logParts, logTableIn } from './log-table.ts'
import { type TableTriggers, triggerPrefix, triggersOf } from './table-triggers.ts'

/** What is done to the log and its triggers. */
export interface PlannedLog {
  /** The tables of the log. */
  readonly tables: readonly PlannedStep[]
  /** Triggers go that were left over by a migration which ended halfway: others get their names. */
  readonly leftOver: readonly PlannedStep[]
  readonly created: readonly PlannedStep[]
  /** Triggers go that are not wanted any more. */
  readonly dropped: readonly PlannedStep[]
}

const nothing: PlannedLog = { tables: [], leftOver: [], created: [], dropped: [] }

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
    return nothing
  }
  const tables = first === undefined ? [] : await planLog(context, fromNothing)
  const firsts = plans.filter(({ state }, at) => plans.findIndex((each) => each.state === state) === at)
  const triggers: PlannedLog[] = []
  for (const plan of firsts) triggers.push(await planTriggers(context, plan))
  return {
    tables,
    leftOver: triggers.flatMap(({ leftOver }) => leftOver),
    created: triggers.flatMap(({ created }) => created),
    dropped: triggers.flatMap(({ dropped }) => dropped)
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
  const { text } = await tableOptionsOf({ dialect, runner })
  return logParts(dialect, logTableIn(schema), text).map(({ back, ...part }) => ({
    ...part,
    ...shared,
    back: back === undefined ? undefined : { run: [back], loses: part.description }
  }))
}

/** The table's triggers as they are to be; others of that kind are dropped. */
async function planTriggers({ dialect, runner, schema }: PlanContext, plan: TablePlan): Promise<PlannedLog> {
  const { changeLog } = dialect
  const { table, siblings, state, former = table.name } = plan
  if (changeLog === undefined) return nothing
  const formerTable = { ...table, name: former, sql: placeOf(table, former) }
  const existing = state.isNew ? [] : await readTriggers({ dialect, runner }, formerTable)
  const log = { columns: state.columns, log: logTableIn(schema) }
  const wanted = [table, ...siblings]
    .filter(({ model }) => model.logsChanges)
    .map((each) => triggersOf({ ...dialect, changeLog }, each, log))
  const isThere = ({ names }: TableTriggers): boolean =>
    names.every((name) => existing.some((trigger) => trigger.name === name))
  const kept = wanted.filter(isThere).flatMap(({ names }) => names)
  const missing = wanted.filter((each) => !isThere(each))
  const taken = missing.flatMap(({ names }) => names)
  const what = `the triggers that log changes of ${table.name}`
  const drop = (trigger: ExistingTrigger): PlannedStep =>
    step('dropTrigger', table, what, changeLog.drop(trigger.name, table), {
      run: changeLog.restore(trigger, formerTable)
    })
  const gone = existing.filter(({ name }) => !kept.includes(name))
  return {
    tables: [],
    leftOver: gone.filter(({ name }) => taken.includes(name)).map(drop),
    created: missing.flatMap((each) => createTriggers({ table, what, drop: changeLog.drop }, each)),
    dropped: gone.filter(({ name }) => !taken.includes(name)).map(drop)
  }
}

function createTriggers(
  { table, what, drop }: { table: TablePlan['table']; what: string; drop: ChangeLogDialect['drop'] },
  { names, statements }: TableTriggers
): readonly PlannedStep[] {
  const undo = { run: names.map((name) => drop(name, table)) }
  return statements.map((statement, at) => step('createTrigger', table, what, statement, at === 0 ? undo : { run: [] }))
}

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
