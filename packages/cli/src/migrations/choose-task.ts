import type { MigrationTask, RecordedMigration } from '@modelwire/core/connector'
import { MigrationChanged, MigrationDownMissing, MigrationIncomplete, MigrationLosesData } from '../errors.ts'
import type { FileStep, Migration, MigrationFile } from './migration-file.ts'

/** The inputs for choosing the next migration. */
export interface Choice {
  /** All files of the folder. */
  readonly files: readonly MigrationFile[]
  /** The runnable migrations of the data source, in order. */
  readonly migrations: readonly Migration[]
  /** The step, from 1, at which an aborted migration resumes. */
  readonly resume?: number | undefined
  /** Whether steps of a reversal may delete data. */
  readonly losesData?: boolean | undefined
}

/**
 * The next migration that has not been applied.
 * @throws {MigrationChanged} the file of one that was applied has changed
 * @throws {MigrationIncomplete} one ended halfway
 */
export function chooseUp(choice: Choice, recorded: readonly RecordedMigration[]): MigrationTask | undefined {
  checkUnchanged(choice, recorded)
  const reverting = recorded.find(({ state }) => state === 'reverting' || state === 'revert failed')
  if (reverting !== undefined)
    throw new MigrationIncomplete(
      `the migration ${reverting.name} was only partly reverted: finish that with --down first`
    )
  const isDone = (name: string): boolean => recorded.some((each) => each.name === name && each.state === 'applied')
  const next = choice.migrations.find(({ name }) => !isDone(name))
  return next && taskOf('up', next, choice, recorded)
}

/**
 * The reversal of a migration, if it is the last one that was applied.
 * @throws {MigrationDownMissing} a step of it was not written
 * @throws {MigrationLosesData} a step of it deletes data
 */
export function chooseDown(
  choice: Choice,
  migration: Migration,
  recorded: readonly RecordedMigration[]
): MigrationTask | undefined {
  if (recorded.at(-1)?.name !== migration.name) return undefined
  const row = recorded.at(-1)
  checkUnchanged(choice, row === undefined ? [] : [row])
  if (row?.state === 'applying' || row?.state === 'apply failed')
    throw new MigrationIncomplete(
      `the migration ${migration.name} was only partly applied: finish that first, without --down`
    )
  return taskOf('down', migration, choice, recorded)
}

/** @throws {MigrationChanged} a file differs from what was run */
export function checkUnchanged({ files }: Pick<Choice, 'files'>, recorded: readonly RecordedMigration[]): void {
  const changed = recorded.find(({ name, checksum }) => {
    const file = files.find((each) => each.name === name)
    return file !== undefined && file.checksum !== checksum
  })
  if (changed === undefined) return
  const path = files.find(({ name }) => name === changed.name)?.path ?? ''
  throw new MigrationChanged(
    `the migration ${changed.name} was changed after it ran: restore ${path}, or accept it as it is with --accept-changed`
  )
}

function taskOf(
  direction: MigrationTask['direction'],
  migration: Migration,
  { resume, losesData = false }: Choice,
  recorded: readonly RecordedMigration[]
): MigrationTask {
  const { name, checksum, transaction } = migration
  const row = recorded.find((each) => each.name === name)
  const steps = migration[direction].map((step) => actionOf(step, { name, direction, losesData }))
  const stepsDone = row === undefined || row.state === 'applied' ? 0 : continueAt(row, steps.length, resume)
  return { direction, name, checksum, transaction, steps, stepsDone }
}

/** How many steps of a migration that ended halfway are not run again. */
function continueAt({ name, state, stepsDone }: RecordedMigration, total: number, resume: number | undefined): number {
  if (resume !== undefined) return Math.min(resume - 1, total)
  if (state !== 'applying' && state !== 'reverting') return stepsDone
  const step = stepsDone + 1
  throw new MigrationIncomplete(
    `the migration ${name} was aborted during step ${step} of ${total} (${state === 'applying' ? 'up' : 'down'}): ` +
      `check whether this step took effect, then continue with --resume ${step}, or --resume ${step + 1} if it did`
  )
}

function actionOf(
  step: FileStep,
  { name, direction, losesData }: { name: string; direction: MigrationTask['direction']; losesData: boolean }
): MigrationTask['steps'][number] {
  if (typeof step !== 'object') return step
  if ('missing' in step)
    throw new MigrationDownMissing(
      `the migration ${name} cannot be run ${direction}: its file does not restore ${step.missing}`
    )
  if (direction === 'up' || losesData) return step.statement
  throw new MigrationLosesData(
    `reverting ${name} deletes data: ${step.losesData}. Pass --lose-data to allow it, or write another way to revert`
  )
}
