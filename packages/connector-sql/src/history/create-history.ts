import type { MigrationHistory, MigrationTask, RecordedMigration, TaskOptions } from '@modelwire/core/connector'
import type { Session } from '../connection/session.ts'
import { SeveralStatements, TransactionNeeded } from '../errors.ts'
import { defaultLockTimeout, underLock } from '../migrate/migration-lock.ts'
import { type HistoryTable, historyTable, rowOf } from './history-table.ts'
import { runAsOne, runOneByOne, type TaskRun } from './run-task.ts'
import type { Database } from '../dialect/database.ts'
import type { MigrationLock } from '../dialect/schema-dialect.ts'

/** The context of a history. */
export interface HistoryContext {
  readonly database: Pick<Database, 'dialect' | 'resultOf' | 'schema'>
  readonly session: Session
  /** Runs `work` on a session for migrations, and closes that. */
  readonly withMigration: <Result>(
    work: (session: Session, openGuard: () => Session) => Promise<Result>
  ) => Promise<Result>
}

type Choose<Choice> = (recorded: readonly RecordedMigration[]) => Choice

/** The history of migration files applied to a database. */
export function createHistory(context: HistoryContext): MigrationHistory {
  return {
    read: async (table) => {
      const history = tableOn(context, context.session, table)
      return (await history.exists()) ? history.read() : []
    },
    runNext: async (table, choose, options = {}) =>
      context.withMigration(async (session, openGuard) =>
        runNext({ ...context, session, openGuard, table }, choose, options)
      ),
    record: async (table, choose, options = {}) =>
      context.withMigration(async (session, openGuard) => {
        const holders = { session, openGuard, lock: context.database.dialect.schema.lock }
        const work = async (): Promise<void> => recordAll(tableOn(context, session, table), choose)
        await underLock(holders, work, options.lockTimeout ?? defaultLockTimeout)
      })
  }
}

function tableOn({ database: { dialect, schema } }: HistoryContext, runner: Session, table: string): HistoryTable {
  return historyTable({ dialect, schema, runner, table })
}

async function recordAll(
  history: HistoryTable,
  choose: Choose<readonly Pick<RecordedMigration, 'name' | 'checksum'>[]>
): Promise<void> {
  const recorded = (await history.exists()) ? await history.read() : []
  const chosen = choose(recorded)
  if (chosen.length > 0) await history.make()
  for (const each of chosen) {
    const before = recorded.find(({ name }) => name === each.name)
    const state = { stepsDone: before?.stepsDone ?? 0, started: Date.now() }
    const fresh = rowOf(each, before?.state ?? 'applied', state)
    await history.write(before === undefined ? fresh : { ...before, checksum: each.checksum })
  }
}

interface NextContext extends HistoryContext {
  readonly openGuard: () => Session
  readonly table: string
}

/** The task cannot run under the lock that was taken. */
const otherLock: unique symbol = Symbol('the task requires another lock')

async function runNext(
  context: NextContext,
  choose: Choose<MigrationTask | undefined>,
  options: TaskOptions
): Promise<MigrationTask | undefined> {
  const { lock: usual, online } = context.database.dialect.schema
  const first = await attempt(context, usual, choose, options)
  if (first !== otherLock) return first
  if (online === undefined)
    throw new TransactionNeeded('this database runs every migration in a transaction: remove "transaction = false"')
  const second = await attempt(context, online.lock, choose, options)
  // Another process has done it meanwhile, and the next one is of the usual kind.
  return second === otherLock ? runNext(context, choose, options) : second
}

async function attempt(
  context: NextContext,
  lock: MigrationLock,
  choose: Choose<MigrationTask | undefined>,
  options: TaskOptions
): Promise<MigrationTask | undefined | typeof otherLock> {
  const { session, database, openGuard } = context
  const { dialect, resultOf } = database
  const timeout = options.lockTimeout ?? defaultLockTimeout
  const history = tableOn(context, session, context.table)
  const isWhole = lock.kind === 'transaction'
  const canChange = dialect.schema.lock.kind === 'transaction'
  const execute: TaskRun['execute'] = async (statement, parameters = []) => {
    if (dialect.schema.isOneStatement?.(statement) === false)
      throw new SeveralStatements('a step must be a single statement')
    return resultOf(statement, await session.run({ sql: statement, parameters }, {}))
  }
  const work = async (): Promise<MigrationTask | undefined | typeof otherLock> => {
    const task = choose((await history.exists()) ? await history.read() : [])
    if (task === undefined) return undefined
    if (canChange && task.transaction !== isWhole) return otherLock
    await history.make()
    const run = { history, execute, onStep: options.onStep, retriesUntil: Date.now() + timeout }
    await (isWhole ? runAsOne(run, task) : runAlone(context, run, { task, timeout }))
    return task
  }
  return underLock({ session, openGuard, lock }, work, timeout)
}

/** On one connection, which gives up where it waits for others too long. */
async function runAlone(
  { session, database }: NextContext,
  run: TaskRun,
  { task, timeout }: { task: MigrationTask; timeout: number }
): Promise<void> {
  const { online } = database.dialect.schema
  await session.onOneConnection(async () => {
    if (online !== undefined) await session.run(online.limitWaits(timeout), {})
    try {
      await runOneByOne(run, task)
    } finally {
      // A pooler may give the connection to others.
      if (online !== undefined) await session.run(online.limitWaits(undefined), {})
    }
  })
}
