import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@modelwire/core'
import {
  type MigrationTask,
  type TaskOptions,
  TransactionConflict,
  type RecordedMigration
} from '@modelwire/core/connector'
import { MigrationStepFailed } from '../errors.ts'
import { type HistoryTable, rowOf } from './history-table.ts'

/** The context for running a task. */
export interface TaskRun extends Pick<TaskOptions, 'onStep'> {
  readonly history: HistoryTable
  readonly execute: (statement: string, parameters?: readonly unknown[]) => Promise<unknown>
  /** Time, in milliseconds of the epoch, until which a step that finds its table in use is retried. */
  readonly retriesUntil: number
}

const runningAs: Readonly<
  Record<MigrationTask['direction'], { now: RecordedMigration['state']; failed: RecordedMigration['state'] }>
> = {
  up: { now: 'applying', failed: 'apply failed' },
  down: { now: 'reverting', failed: 'revert failed' }
}

/** Milliseconds between two attempts at a step. */
const pause = 100

/**
 * Runs a task within the caller's transaction and records it there.
 * @throws {MigrationStepFailed} the database refuses a step
 */
export async function runAsOne(run: TaskRun, task: MigrationTask): Promise<void> {
  const started = Date.now()
  for (const [at, action] of task.steps.entries()) {
    await run.onStep?.(task, at + 1)
    await act(run, action).catch((error: unknown) => {
      // What is repeated as a whole, or waits for others, is not over.
      const isOver = !(error instanceof TransactionConflict) && !isUnavailable(error)
      throw isOver ? new MigrationStepFailed(task, { position: at + 1, effect: 'nothing' }, error) : error
    })
  }
  await finish(run, task, started)
}

/**
 * Runs a task whose steps take effect one by one, and records each. @throws {MigrationStepFailed} the database refuses a step:
 * those before it have taken effect
 */
export async function runOneByOne(run: TaskRun, task: MigrationTask): Promise<void> {
  const started = Date.now()
  const { now, failed } = runningAs[task.direction]
  const note = async (state: RecordedMigration['state'], stepsDone: number): Promise<void> =>
    run.history.write(rowOf(task, state, { stepsDone, started }))
  await note(now, task.stepsDone)
  for (const [at, action] of task.steps.entries()) {
    if (at < task.stepsDone) continue
    await run.onStep?.(task, at + 1)
    await actPatiently(run, action).catch(async (error: unknown) => {
      // Whether the step took effect is unknown where the connection was lost: then the state stays as it is.
      const effect = isUnavailable(error) ? 'unknown' : 'steps before'
      if (effect === 'steps before') await note(failed, at)
      throw new MigrationStepFailed(task, { position: at + 1, effect }, error)
    })
    await note(now, at + 1)
  }
  await finish(run, task, started)
}

async function finish({ history }: TaskRun, task: MigrationTask, started: number): Promise<void> {
  if (task.direction === 'down') return history.remove(task.name)
  return history.write(rowOf(task, 'applied', { stepsDone: task.steps.length, started }))
}

async function act({ execute }: TaskRun, action: MigrationTask['steps'][number]): Promise<void> {
  if (typeof action === 'string') await execute(action)
  else await action({ execute })
}

async function actPatiently(run: TaskRun, action: MigrationTask['steps'][number]): Promise<void> {
  try {
    return await act(run, action)
  } catch (error) {
    // Code may have changed something before it found its table in use.
    const isRetried = typeof action === 'string' && error instanceof TransactionConflict
    if (!isRetried || Date.now() >= run.retriesUntil) throw error
  }
  await sleep(pause)
  return actPatiently(run, action)
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.statusCode === 503
