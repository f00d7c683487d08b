import {
  MigrationLocked,
  MigrationPlanChanged,
  StatementTimeout,
  type MigrateOptions,
  type MigrationPlan,
  type PlanOptions,
  type MigrationStep
} from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { defaultLockTimeout, underLock, type LockHolders } from './migration-lock.ts'
import type { PlanContext, PlannedStep, StepBack } from '../plan/planned-step.ts'
import type { OnlineIndexes } from '../dialect/schema-dialect.ts'
import { planTables, type PlannedTables } from '../plan/plan-tables.ts'
import { type ReadyStep, runSteps } from './run-steps.ts'
import type { Sql } from '../sql.ts'

/** The context of a migration. */
export interface MigrationContext extends LockHolders, Omit<PlanContext, 'runner'> {}

/** Returns what a migration would do now. */
export async function planMigration(
  context: PlanContext,
  tables: readonly SqlTable[],
  options: PlanOptions
): Promise<MigrationPlan> {
  return describePlan(context.runner, await planTables(context, tables, options), options.back)
}

/**
 * Plans under the lock, executes the plan, and returns it.
 * @throws {MigrationLocked} another process migrated all of the time
 * @throws {MigrationPlanChanged} something else would be done than was agreed to
 * @throws {MigrationFailed} the database refuses a step
 */
export async function runMigration(
  context: MigrationContext,
  tables: readonly SqlTable[],
  options: MigrateOptions
): Promise<MigrationPlan> {
  const { session, dialect, lock } = context
  const timeout = options.lockTimeout ?? defaultLockTimeout
  const { onStep } = options
  const work = async (): Promise<Ready> => {
    const planned = await planTables({ ...context, runner: session }, tables, options)
    const plan = describePlan(session, planned)
    checkAgreed(plan, options.plan)
    const ready = readySteps(planned, plan)
    // A transaction with a conflict has ended: all of it is retried.
    const retriesUntil = lock.kind === 'transaction' ? undefined : Date.now() + timeout
    await runSteps(
      { runner: session, onStep, retriesUntil },
      ready.filter(({ planned: { online } }) => online === undefined)
    )
    return { plan, later: ready.filter(({ planned: { online } }) => online !== undefined) }
  }
  const { plan, later } = await underLock(context, work, timeout)
  if (dialect.schema.online !== undefined && later.length > 0)
    await finishOnline({ ...context, timeout, onStep }, tables, { online: dialect.schema.online, later })
  return plan
}

interface Finish extends MigrationContext, Pick<MigrateOptions, 'onStep'> {
  readonly timeout: number
}

/**
 * Runs the steps that do not block writes, when the rest has taken effect. @throws {MigrationLocked} a transaction went
 * on for too long
 */
async function finishOnline(
  finish: Finish,
  tables: readonly SqlTable[],
  { online, later }: { online: OnlineIndexes; later: readonly ReadyStep[] }
): Promise<void> {
  const { session, timeout, onStep } = finish
  const run = { runner: session, onStep, retriesUntil: undefined }
  const work = async (): Promise<void> => {
    // Another process may have made some of them meanwhile.
    const left = await planTables({ ...finish, runner: session }, tables, { empty: false })
    const missing = new Set(describePlan(session, left).steps.map(({ statement }) => statement))
    const steps = later.filter(({ step }) => missing.has(step.statement))
    await session.onOneConnection(async () => {
      await session.run(online.limitWaits(timeout), {})
      try {
        await runSteps(run, steps)
      } finally {
        // A pooler may give the connection to others.
        await session.run(online.limitWaits(undefined), {})
      }
    })
  }
  try {
    await underLock({ ...finish, lock: online.lock }, work, timeout)
  } catch (cause) {
    if (!(cause instanceof StatementTimeout)) throw cause
    const message = 'an open transaction prevents an index from being created: the next migration retries it'
    throw new MigrationLocked(message, { cause })
  }
}

/** The steps of a migration, and those that run after its transaction. */
interface Ready {
  readonly plan: MigrationPlan
  readonly later: readonly ReadyStep[]
}

function readySteps({ steps: planned }: PlannedTables, { steps }: MigrationPlan): readonly ReadyStep[] {
  return planned.flatMap((each, at) => {
    const step = steps[at]
    return step === undefined ? [] : [{ planned: each, step, position: at + 1, total: steps.length }]
  })
}

function describePlan(runner: Runner, { steps, notes }: PlannedTables, saysBack = false): MigrationPlan {
  return { steps: steps.map((each) => describeStep(runner, each, saysBack)), notes }
}

function checkAgreed(plan: MigrationPlan, agreed: MigrationPlan | undefined): void {
  if (agreed === undefined) return
  if (textOfPlan(plan) !== textOfPlan(agreed))
    throw new MigrationPlanChanged('the database or the models changed since the migration was planned')
}

function textOfPlan({ steps }: MigrationPlan): string {
  return steps.map(({ statement }) => statement).join('\n')
}

/** A step as others see it; with `back` also how it is undone, and whether it can be part of a transaction. */
function describeStep(
  runner: Runner,
  { sql: statement, table: _table, unique: _unique, online, back, ...step }: PlannedStep,
  saysBack: boolean
): MigrationStep {
  const textOf = (each: Sql): string => runner.compile(each).sql.trim()
  const plain = { ...step, statement: textOf(statement) }
  if (!saysBack) return plain
  return {
    ...plain,
    ...(back && { back: describeBack(back, textOf) }),
    ...(online && { outsideTransaction: true as const })
  }
}

function describeBack(back: StepBack, textOf: (each: Sql) => string): NonNullable<MigrationStep['back']> {
  const statements = back.run.map(textOf)
  if ('unknown' in back) return { statements, unknown: back.unknown }
  return { statements, ...(back.loses !== undefined && { loses: back.loses }) }
}
