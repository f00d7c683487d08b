import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type DataSourcePlan, planMigration } from '@modelwire/core'
import type { MigrationStep, Rename } from '@modelwire/core/connector'
import { count } from './run-plan.ts'
import { CommandError, MigrationRenameUnclear, MigrationsPending } from '../errors.ts'
import { fileText } from './file-text.ts'
import { type MigrationWork, placeOf } from './settings.ts'
import { readOverview } from './sources.ts'
import type { MigrationFile } from './migration-file.ts'

/**
 * `--create`: writes the differences between models and databases as files, one for each data source, and another one for
 * steps that cannot run in a transaction.
 * @throws {MigrationsPending} the database has not applied all migrations yet
 * @throws {MigrationRenameUnclear} a column may have been renamed, and no option says whether it was
 */
export async function createMigrations(work: MigrationWork, name: string): Promise<void> {
  if (!/^[A-Za-z0-9][\w-]{0,200}$/.test(name))
    throw new CommandError('USAGE', `--create requires a name of letters, digits, - and _, not ${name}`)
  const { registry, files, options, settings } = work
  const { sources, unapplied } = await readOverview(files, placeOf(work))
  checkOrder(
    work,
    unapplied.map((migration) => migration.name)
  )
  const { model: models, prune = false, baseline: fromNothing = false } = options
  const scope = { models, prune, dataSources: sources.map((each) => each.name) }
  if (scope.dataSources.length === 0) throw new CommandError('NO_SUCH_DATA_SOURCE', 'no data source is an SQL database')
  const renames = readRenames(options.rename || [], scope.dataSources)
  const plans = await planMigration(registry, { ...scope, renames, fromNothing, back: true })
  if (!fromNothing && options.rename !== false)
    refuseUnclearRenames(plans, await planMigration(registry, { ...scope, renames, prune: true }))
  const stamps = stampsAfter(files, new Date())
  await mkdir(settings.folder, { recursive: true })
  for (const plan of plans) await writePlan(work, plan, { name, stamps, isOnly: plans.length === 1 })
}

function checkOrder({ files, options }: MigrationWork, [pending]: readonly string[]): void {
  if (options.baseline === true && files.length > 0)
    throw new CommandError('USAGE', '--baseline writes the first migration, but others already exist')
  if (pending !== undefined)
    throw new MigrationsPending(
      `the migration ${pending} has not been applied yet: run "modelwire migrate" first, so that it is not written again`
    )
}

function readRenames(written: readonly string[], dataSources: readonly string[]): readonly Rename[] {
  if (written.length > 0 && dataSources.length > 1)
    throw new CommandError('USAGE', `--rename needs --data-source: ${dataSources.join(', ')}`)
  return written.map((text) => {
    const [from, to, ...rest] = text.split('=')
    if (from && to && rest.length === 0) return { from, to }
    throw new CommandError('USAGE', `--rename must be table=new or table.column=new, not ${text}`)
  })
}

interface Naming {
  readonly name: string
  /** Returns the timestamp of the next file. */
  readonly stamps: () => string
  readonly isOnly: boolean
}

async function writePlan(
  work: MigrationWork,
  { dataSource, steps, notes }: DataSourcePlan,
  naming: Naming
): Promise<void> {
  const { out, style } = work.terminal
  if (steps.length === 0 && work.options.data !== true) {
    out(`${style('bold', dataSource)}: nothing to write, the database matches the models`)
    for (const note of notes) out(`  ${style('yellow', 'note')} ${note}`)
    return
  }
  const within = steps.filter(({ outsideTransaction }) => outsideTransaction !== true)
  const outside = steps.filter(({ outsideTransaction }) => outsideTransaction === true)
  const source = naming.isOnly ? '' : `-${dataSource.replaceAll(/[^\w-]/g, '_')}`
  const write = async (part: readonly MigrationStep[], suffix: string, transaction: boolean): Promise<void> => {
    const title = `${naming.name}${source}${suffix}`
    const path = join(work.settings.folder, `${naming.stamps()}-${title}.mjs`)
    const content = { title, dataSource, steps: part, notes: transaction ? notes : [], transaction }
    await writeFile(path, fileText(content), { flag: 'wx' })
    out(`${style('bold', dataSource)}: wrote ${relative(process.cwd(), path)} (${count(part.length, 'step')})`)
    printBack(part, work)
  }
  if (within.length > 0 || outside.length === 0) await write(within, '', true)
  if (outside.length > 0) await write(outside, '-indexes', false)
}

function printBack(steps: readonly MigrationStep[], { terminal: { out, style } }: MigrationWork): void {
  for (const { description } of steps.filter(({ destructive }) => destructive))
    out(`  ${style('red', '!')} deletes data: ${description}`)
  for (const { back } of steps) {
    if (back?.unknown !== undefined)
      out(`  ${style('yellow', 'note')} reverting is incomplete: write how to restore ${back.unknown}`)
    if (back?.loses !== undefined) out(`  ${style('yellow', 'note')} reverting deletes data: ${back.loses}`)
  }
}

/** @throws {MigrationRenameUnclear} there are new columns beside columns that no model has */
function refuseUnclearRenames(plans: readonly DataSourcePlan[], pruned: readonly DataSourcePlan[]): void {
  const added = stepsOf(plans, 'addColumn')
  const unclear = stepsOf(pruned, 'dropColumn').flatMap(({ column: dropped }) => {
    const names = added.flatMap(({ column }) => (column && column.table === dropped?.table ? [column.name] : []))
    return dropped === undefined || names.length === 0
      ? []
      : [`--rename ${dropped.table}.${dropped.name}=${names.join('|')}`]
  })
  if (unclear.length === 0) return
  throw new MigrationRenameUnclear(
    `columns that no model declares may have been renamed: add ${unclear.join(' ')}, or --no-rename if they were not`
  )
}

function stepsOf(plans: readonly DataSourcePlan[], kind: MigrationStep['kind']): readonly MigrationStep[] {
  return plans.flatMap(({ steps }) => steps.filter((step) => step.kind === kind))
}

/** Gives the times of new files one after the other, as 14 digits: the present second, and always later than the last file. */
function stampsAfter(files: readonly MigrationFile[], now: Date): () => string {
  let next = Math.max(Math.floor(now.getTime() / 1000), secondAfter(files.at(-1)?.name ?? ''))
  return () => new Date(next++ * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

function secondAfter(name: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-/.exec(name) ?? []
  const [year = 0, month = 1, ...rest] = parts.map(Number)
  const [day = 1, hour = 0, minute = 0, second = 0] = rest
  return parts.length === 0 ? 0 : Date.UTC(year, month - 1, day, hour, minute, second) / 1000 + 1
}
