import type { RecordedMigration } from '@modelwire/core/connector'
import { confirmOrThrow, count } from './run-plan.ts'
import { chooseDown } from './choose-task.ts'
import { CommandError, MigrationFileMissing } from '../errors.ts'
import { type MigrationWork, placeOf } from './settings.ts'
import { findMigration, loadMigration, type Migration } from './migration-file.ts'
import { printSteps, questionOn } from './status.ts'
import { readDown, readResume } from './file-text.ts'
import { type FileSource, readOverview } from './sources.ts'

/**
 * `--down`: reverts the last migrations that were applied, the last one first.
 * @throws {MigrationFileMissing} the file of one of them is missing
 */
export async function revertMigrations(work: MigrationWork, number: string | true): Promise<void> {
  const { options, terminal, files } = work
  const source = await onlySource(work)
  const last =
    options.to === undefined
      ? undefined
      : findMigration(
          source.recorded.map(({ name }) => name),
          options.to
        )
  const rows = last === undefined ? source.recorded.slice(-readDown(number)) : rowsAfter(source.recorded, last)
  if (rows.length === 0) {
    terminal.err('no migration to revert')
    return
  }
  const migrations = await Promise.all(rows.toReversed().map(async ({ name }) => fileOf(work, name)))
  const choice = { files, migrations, resume: readResume(options.resume), losesData: options.loseData }
  for (const [at, migration] of migrations.entries()) {
    printMigration(source, migration, work)
    // Nothing is begun that would stop halfway.
    chooseDown(
      at === 0 ? choice : { ...choice, resume: undefined },
      migration,
      source.recorded.slice(0, source.recorded.length - at)
    )
  }
  if (options.dryRun === true) return
  await confirmOrThrow(
    questionOn(
      `Revert ${count(migrations.length, 'migration')}?`,
      migrations.flatMap(({ down }) => down)
    ),
    options,
    terminal
  )
  for (const migration of migrations) await revertOne(work, source, { migration, choice })
}

async function onlySource(work: MigrationWork): Promise<FileSource> {
  const { sources } = await readOverview(work.files, placeOf(work))
  const used = sources.filter(({ recorded }) => recorded.length > 0)
  const [first, ...others] = used.length === 0 ? sources : used
  if (first !== undefined && others.length === 0) return first
  const names = sources.map(({ name }) => name).join(', ')
  throw new CommandError(
    'NO_SUCH_DATA_SOURCE',
    first === undefined ? 'no data source is an SQL database' : `choose one by --data-source: ${names}`
  )
}

function rowsAfter(recorded: readonly RecordedMigration[], last: string): readonly RecordedMigration[] {
  return recorded.slice(recorded.findIndex(({ name }) => name === last) + 1)
}

async function fileOf({ files, settings }: MigrationWork, name: string): Promise<Migration> {
  const file = files.find((each) => each.name === name)
  if (file !== undefined) return loadMigration(file)
  throw new MigrationFileMissing(
    `the migration ${name} cannot be reverted: its file is missing from ${settings.folder}`
  )
}

function printMigration(
  { name: dataSource }: FileSource,
  { name, down }: Migration,
  { terminal }: MigrationWork
): void {
  terminal.out(`${terminal.style('bold', dataSource)}: ${name}, back (${count(down.length, 'step')})`)
  printSteps(down, terminal)
}

async function revertOne(
  { settings, lockTimeout, terminal }: MigrationWork,
  { name: dataSource, history }: FileSource,
  { migration, choice }: { migration: Migration; choice: Parameters<typeof chooseDown>[0] }
): Promise<void> {
  const started = Date.now()
  const isFirst = choice.migrations[0] === migration
  const own = isFirst ? choice : { ...choice, resume: undefined }
  const task = await history.runNext(settings.table, (recorded) => chooseDown(own, migration, recorded), {
    lockTimeout,
    onStep: ({ name, steps }, position) => terminal.progress(`${dataSource} ${name} back ${position}/${steps.length}`)
  })
  terminal.progress('')
  terminal.err(
    task === undefined
      ? `${dataSource}: ${migration.name} is no longer the last migration: another process has migrated in the meantime`
      : `${dataSource}: reverted ${task.name} in ${Date.now() - started} ms`
  )
}
