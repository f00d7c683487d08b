import {
  ApiError,
  type MigrateOptions,
  type MigrationPlan,
  type MigrationStep,
  type PlanOptions
} from '@modelwire/core'
import { MigrationFailed, MigrationPlanChanged } from '../errors.ts'
import type { Runner } from '../run-statement.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { defaultLockTimeout, underLock, type LockHolders } from './migration-lock.ts'
import { planTables, type PlanContext, type PlannedStep, type PlannedTables } from './plan-tables.ts'

/** What a migration works with. */
export interface MigrationContext extends LockHolders, Omit<PlanContext, 'runner'> {}

/** What a migration would do now. */
export async function planMigration(
  context: PlanContext,
  tables: readonly SqlTable[],
  options: PlanOptions
): Promise<MigrationPlan> {
  return describePlan(context.runner, await planTables(context, tables, options))
}

/**
 * Plans under the lock, does what is planned, and gives it.
 * @throws {MigrationLocked} another process migrated all of the time
 * @throws {MigrationPlanChanged} something else would be done than was agreed to
 * @throws {MigrationFailed} the database refuses a step
 */
export async function runMigration(
  context: MigrationContext,
  tables: readonly SqlTable[],
  options: MigrateOptions
): Promise<MigrationPlan> {
  const { session } = context
  const work = async (): Promise<MigrationPlan> => {
    const planned = await planTables({ ...context, runner: session }, tables, options)
    const plan = describePlan(session, planned)
    checkAgreed(plan, options.plan)
    await runSteps(session, planned.steps, plan.steps, options)
    return plan
  }
  return underLock(context, work, options.lockTimeout ?? defaultLockTimeout)
}

async function runSteps(
  runner: Runner,
  planned: readonly PlannedStep[],
  steps: readonly MigrationStep[],
  { onStep }: MigrateOptions
): Promise<void> {
  for (const [at, { sql: statement, table }] of planned.entries()) {
    const step = steps[at]
    if (step === undefined) continue
    await onStep?.(step, at + 1, steps.length)
    await runStep(step, async () => runner.run(statement, table === undefined ? {} : { table }))
  }
}

async function runStep(step: MigrationStep, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 503) throw error
    throw new MigrationFailed(step, error)
  }
}

function describePlan(runner: Runner, { steps, notes }: PlannedTables): MigrationPlan {
  const described = steps.map(({ sql: statement, table: _table, ...step }) => ({
    ...step,
    statement: runner.compile(statement).sql.trim()
  }))
  return { steps: described, notes }
}

function checkAgreed(plan: MigrationPlan, agreed: MigrationPlan | undefined): void {
  if (agreed === undefined) return
  if (textOf(plan) !== textOf(agreed))
    throw new MigrationPlanChanged('the database or the models changed since the migration was planned')
}

function textOf({ steps }: MigrationPlan): string {
  return steps.map(({ statement }) => statement).join('\n')
}
