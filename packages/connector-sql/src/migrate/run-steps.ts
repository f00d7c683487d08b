import { MigrationFailed, MigrationLocked, StatementTimeout, TransactionConflict } from '@modelwire/core/connector'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@modelwire/core'
import type { MigrateOptions, MigrationStep } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import { refuseDuplicates } from './find-duplicates.ts'
import type { PlannedStep } from './planned-step.ts'

/** A step, and how it is reported. */
export interface ReadyStep {
  readonly planned: PlannedStep
  readonly step: MigrationStep
  /** From 1. */
  readonly position: number
  readonly total: number
}

/** How steps are run. */
export interface StepRun extends Pick<MigrateOptions, 'onStep'> {
  readonly runner: Runner
  /** Until then, in milliseconds of the epoch, a step is tried again that finds its table in use; undefined: never. */
  readonly retriesUntil: number | undefined
}

const pause = 100

/**
 * Carries out steps in order.
 * @throws {MigrationFailed} the database refuses one
 * @throws {MigrationLocked} another transaction uses a table for too long
 */
export async function runSteps(run: StepRun, steps: readonly ReadyStep[]): Promise<void> {
  for (const ready of steps) {
    await run.onStep?.(ready.step, ready.position, ready.total)
    await runStep(run, ready)
  }
}

async function runStep(run: StepRun, ready: ReadyStep): Promise<void> {
  const { retriesUntil = 0 } = run
  try {
    return await carryOut(run.runner, ready.planned)
  } catch (error) {
    if (!(error instanceof TransactionConflict) || Date.now() >= retriesUntil) throw failureOf(ready.step, error)
  }
  // Those who wait behind the step get their turn.
  await sleep(pause)
  return runStep(run, ready)
}

function failureOf(step: MigrationStep, error: unknown): unknown {
  if (error instanceof TransactionConflict)
    return new MigrationLocked(`another transaction uses a table, so this was not done: ${step.description}`, {
      cause: error
    })
  return error instanceof ApiError && error.statusCode === 503 ? error : new MigrationFailed(step, error)
}

async function carryOut(runner: Runner, { sql: statement, table, unique, online }: PlannedStep): Promise<void> {
  if (unique !== undefined && table !== undefined) await refuseDuplicates(runner, table, unique)
  const place = table === undefined ? {} : { table }
  if (online === undefined) {
    await runner.run(statement, place)
    return
  }
  // One that broke off leaves an index behind that nothing uses.
  await dropInvalid(runner, online)
  try {
    await runner.run(statement, place)
  } catch (error) {
    // What a transaction kept from being made, it keeps from being dropped.
    if (!(error instanceof StatementTimeout)) await dropInvalid(runner, online)
    throw error
  }
}

async function dropInvalid(runner: Runner, { findInvalid, drop }: NonNullable<PlannedStep['online']>): Promise<void> {
  const { rows } = await runner.run(findInvalid, {})
  if (rows.length > 0) await runner.run(drop, {})
}
