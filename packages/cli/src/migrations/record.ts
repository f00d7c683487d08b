import { agree } from './agree.ts'
import { type MigrationWork, placeOf } from './migrate-options.ts'
import { findMigration, type MigrationFile } from './migration-file.ts'
import { readOverview } from './sources.ts'

/** `--mark-applied`: records migrations as applied without running them, such as the first one of a database that has its tables. */
export async function markApplied(work: MigrationWork, names: readonly string[]): Promise<void> {
  const { files, options, terminal, settings, lockTimeout } = work
  const { sources, unapplied } = await readOverview(files, placeOf(work))
  const all = files.map(({ name }) => name)
  const wanted = names.map((name) => findMigration(all, name))
  const isRecorded = (name: string): boolean =>
    sources.some(({ recorded }) => recorded.some((row) => row.name === name))
  const due = unapplied.filter(({ name }) => wanted.includes(name) && !isRecorded(name))
  for (const { dataSource, name } of due)
    terminal.out(`${dataSource}: ${name} is recorded as applied, without running it`)
  if (due.length === 0) terminal.err('all of them are recorded already')
  if (due.length === 0 || options.dryRun === true) return
  await agree('Record this?', options, terminal)
  for (const { name: dataSource, history } of sources) {
    const own = due.filter((each) => each.dataSource === dataSource)
    if (own.length === 0) continue
    await history.record(settings.table, (rows) => own.filter(({ name }) => !rows.some((row) => row.name === name)), {
      lockTimeout
    })
  }
}

/** `--accept-changed`: records the present checksums of files that were changed after they ran. */
export async function acceptChanged(work: MigrationWork): Promise<void> {
  const { files, options, terminal, settings, lockTimeout } = work
  const { sources } = await readOverview(files, placeOf(work))
  const changedIn = (rows: readonly Pick<MigrationFile, 'name' | 'checksum'>[]): readonly MigrationFile[] =>
    files.filter((file) => rows.some(({ name, checksum }) => name === file.name && checksum !== file.checksum))
  const changed = sources.flatMap(({ name, recorded }) => changedIn(recorded).map((file) => `${name}: ${file.name}`))
  for (const each of changed) terminal.out(`${each} is accepted as its file is now`)
  if (changed.length === 0) terminal.err('no file was changed after it ran')
  if (changed.length === 0 || options.dryRun === true) return
  await agree('Record this?', options, terminal)
  for (const { history, recorded } of sources)
    if (changedIn(recorded).length > 0) await history.record(settings.table, changedIn, { lockTimeout })
}
