import {
  MigrationFailed,
  MigrationLocked,
  StatementTimeout,
  TransactionConflict,
  type MigrateOptions,
  type MigrationStep,
  ConstraintViolated
} from '@modelwire/core/connector'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@modelwire/core'
import type { Runner } from '../statement/run-statement.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableIndex } from '../table/table-indexes.ts'

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
  /** Time, in milliseconds of the epoch, until which a step that finds its table in use is retried; undefined: never. */
  readonly retriesUntil: number | undefined
}

const pause = 100

/**
 * Executes steps in order.
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
    return new MigrationLocked(`another transaction is using a table, so this step was skipped: ${step.description}`, {
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

/**
 * Refuses a unique index over records that have the same values, while an example can still be found: a failed statement would end the
 * migration's transaction.
 * @throws {ConstraintViolated} there are such records; it names some of their values
 */
async function refuseDuplicates(runner: Runner, table: SqlTable, { parts }: TableIndex): Promise<void> {
  const columns = parts.map(({ column }) => column)
  const names = sql.join(columns.map((column) => column.sql))
  const notNull = sql.join(
    columns.map((column) => sql`${column.sql} is not null`),
    sql` and `
  )
  const statement = sql`select ${names}, count(*) as ${sql.id('how many')} from ${table.sql} where ${notNull} group by ${names} having count(*) > 1 limit 1`
  const [found] = (await runner.run(statement, { table })).rows
  if (found === undefined) return
  const example = columns.map(({ name }) => `${name} ${JSON.stringify(found[name])}`).join(', ')
  throw new ConstraintViolated(`${String(found['how many'])} records of the table ${table.name} have ${example}`)
}
