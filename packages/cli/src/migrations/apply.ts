import { count, confirmOrThrow } from './run-plan.ts'
import { checkUnchanged, chooseUp } from './choose-task.ts'
import { readResume } from './file-text.ts'
import { type MigrationWork, placeOf } from './settings.ts'
import { findMigration, type Migration } from './migration-file.ts'
import { printSteps, questionOn } from './status.ts'
import { type FileSource, readOverview } from './sources.ts'

/** Applies the migrations that have not been applied yet, in the order of their names, after showing them. */
export async function applyMigrations(work: MigrationWork): Promise<void> {
  const { files, options, terminal } = work
  const { sources, unapplied } = await readOverview(files, placeOf(work))
  const last =
    options.to === undefined
      ? undefined
      : findMigration(
          files.map(({ name }) => name),
          options.to
        )
  const due = unapplied.filter(({ name }) => last === undefined || name <= last)
  for (const { recorded } of sources) {
    checkUnchanged({ files }, recorded)
    for (const { name } of recorded.filter((row) => !files.some((file) => file.name === row.name)))
      terminal.err(`${terminal.style('yellow', 'warning:')} ${name} was applied, but its file is missing`)
  }
  if (due.length === 0) {
    terminal.err('no migration is pending')
    return
  }
  for (const migration of due) printMigration(migration, sources, work)
  if (options.dryRun === true) return
  await confirmOrThrow(
    questionOn(
      `Apply ${count(due.length, 'migration')}?`,
      due.flatMap(({ up }) => up)
    ),
    options,
    terminal
  )
  for (const source of sources)
    await applyTo(
      source,
      due.filter(({ dataSource }) => dataSource === source.name),
      work
    )
}

function printMigration(
  { dataSource, name, up, transaction }: Migration,
  sources: readonly FileSource[],
  { terminal }: MigrationWork
): void {
  const rows = sources.find((source) => source.name === dataSource)?.recorded ?? []
  const row = rows.find((each) => each.name === name)
  const begun = row?.state === 'apply failed' ? `, resuming at step ${row.stepsDone + 1}` : ''
  const alone = `${transaction ? '' : ', without a transaction'}${begun}`
  terminal.out(`${terminal.style('bold', dataSource)}: ${name} (${count(up.length, 'step')}${alone})`)
  printSteps(up, terminal)
}

async function applyTo(source: FileSource, migrations: readonly Migration[], work: MigrationWork): Promise<void> {
  const { name, history } = source
  const { files, settings, lockTimeout, terminal, options } = work
  let resume = readResume(options.resume)
  // A migration that was added meanwhile is left to the next run.
  for (let done = 0; done < migrations.length; done++) {
    const started = Date.now()
    const task = await history.runNext(
      settings.table,
      (recorded) => chooseUp({ files, migrations, resume }, recorded),
      { lockTimeout, onStep: (each, at) => terminal.progress(`${name} ${each.name} ${at}/${each.steps.length}`) }
    )
    terminal.progress('')
    if (task === undefined) return terminal.err(`${name}: the rest was applied by another process in the meantime`)
    resume = undefined
    terminal.err(`${name}: applied ${task.name} in ${Date.now() - started} ms`)
  }
}
