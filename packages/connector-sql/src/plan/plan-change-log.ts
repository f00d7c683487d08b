import { type PlanContext, type TablePlan, tableOptionsOf, placeOf, type PlannedStep, step } from './planned-step.ts'
import {
  logName,
  logParts,
  logTableIn,
  type LogTable,
  triggerPrefix,
  cannotLog,
  readTriggers,
  loggedColumns
} from '../change-log/log-table.ts'
import { createHash } from 'node:crypto'
import type { SqlDialect, ChangeLogDialect, ExistingTrigger } from '../dialect/dialect.ts'
import type { TableState } from './table-state.ts'
import { type Sql, sql, writeStatement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { ColumnType } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** The triggers that log the changes of a table. */
interface TableTriggers {
  readonly names: readonly string[]
  readonly statements: readonly Sql[]
}

/** The steps for the log and its triggers. */
export interface PlannedLog {
  /** Steps that create the tables of the log. */
  readonly tables: readonly PlannedStep[]
  /** Steps that drop triggers left over by an aborted migration: others get their names. */
  readonly leftOver: readonly PlannedStep[]
  readonly created: readonly PlannedStep[]
  /** Steps that drop unneeded triggers. */
  readonly dropped: readonly PlannedStep[]
}

const nothing: PlannedLog = { tables: [], leftOver: [], created: [], dropped: [] }

/**
 * Creates the log and its triggers for models that log their changes, and drops the triggers of models that no longer do.
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

async function planLog(
  { dialect, runner, schema }: PlanContext,
  fromNothing: boolean
): Promise<readonly PlannedStep[]> {
  const { rows } = fromNothing
    ? { rows: [] }
    : await runner.run(dialect.catalog.listColumns({ name: logName, schema }), {})
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

/**
 * The triggers of a table. Their name changes with what they do, so that a name says whether they are up to date.
 * @param columns those that the table has, by their folded names
 */
function triggersOf(
  dialect: SqlDialect & { readonly changeLog: ChangeLogDialect },
  table: SqlTable,
  { columns, log }: { readonly columns: TableState['columns']; readonly log: LogTable }
): TableTriggers {
  const { changeLog, schema, types } = dialect
  const present = loggedColumns(table).flatMap((column) => {
    const found = columns.get(schema.names.fold(column.name))
    return found === undefined ? [] : [{ column, type: found.type }]
  })
  const write = (kind: Column['kind'], { logged }: ColumnType, value: Sql): Sql =>
    logged?.(value, kind) ?? changeLog.write(value, kind)
  const insert = (kind: 'create' | 'update' | 'remove'): Sql => {
    const row = kind === 'remove' ? 'old' : 'new'
    const members = present.map(
      ({ column, type }) =>
        [
          textOf(dialect, column.name),
          write(column.kind, types.of(type), sql`${sql.raw(row)}.${sql.id(column.name)}`)
        ] as const
    )
    const names = ['model', 'kind', 'made_at', 'record'].map((name) => sql.id(name))
    const values = [textOf(dialect, table.model.name), textOf(dialect, kind), changeLog.now, changeLog.object(members)]
    return sql`insert into ${log.log} (${sql.join(names)}) values (${sql.join(values)})`
  }
  const unnamed = changeLog.create({ name: triggerPrefix, table, insert })
  const text = unnamed.map((statement) => writeStatement(dialect.notation, statement).sql).join('\n')
  const name = `${triggerPrefix}${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  return { names: changeLog.namesOf(name), statements: changeLog.create({ name, table, insert }) }
}

/** Names come from model files: all of them can be literals. */
function textOf({ schema }: SqlDialect, text: string): Sql {
  const literal = schema.literal('text', text)
  if (literal === undefined) throw new TypeError(`the database cannot write the name ${JSON.stringify(text)}`)
  return sql.raw(literal)
}
