import { type DataSourcePlan, migrate, planMigration } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'
import type { Terminal } from '../terminal.ts'
import { type MigrationWork, placeOf } from './settings.ts'
import { CommandError } from '../errors.ts'
import { findMigration, type MigrationFile } from './migration-file.ts'
import { readOverview } from './sources.ts'

/** A number with its noun: `1 step`, `2 steps`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const flag = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const isDestructive = ({ destructive }: MigrationStep): boolean => destructive

function printPlan({ dataSource, steps, notes }: DataSourcePlan, { out, style }: Terminal): void {
  out(style('bold', `${dataSource}: ${steps.length === 0 ? 'nothing to do' : count(steps.length, 'step')}`))
  for (const step of steps) {
    const mark = isDestructive(step) ? style('red', '!') : style('green', '+')
    out(`  ${mark} ${step.description}`)
    out(style('dim', `      ${step.statement}`))
  }
  for (const note of notes) out(`  ${style('yellow', 'note')} ${note}`)
}

function questionOf(plans: readonly DataSourcePlan[]): string {
  const lost = plans.flatMap((plan) => plan.steps).filter(isDestructive).length
  if (lost === 0) return 'Run this plan?'
  return `Run this plan? ${count(lost, 'step')}, marked !, ${lost === 1 ? 'deletes' : 'delete'} data.`
}

/**
 * Plans the changes that databases need to match the models, shows the plan, asks, and applies it; used without migration
 * files.
 */
export async function runPlan(work: MigrationWork, dataSources: readonly string[] | undefined): Promise<void> {
  const { registry, options, terminal, lockTimeout } = work
  const { empty = false, prune = false, model: models } = options
  const scope = { empty, prune, dataSources, models }
  const plans = await planMigration(registry, scope)
  if (options.json === true) terminal.out(JSON.stringify(plans, null, 2))
  else for (const plan of plans) printPlan(plan, terminal)
  if (plans.length === 0) terminal.err('no data source has tables')
  const isShown = options.plan === true || options.dryRun === true
  if (isShown || plans.every(({ steps }) => steps.length === 0)) return
  await confirmOrThrow(questionOf(plans), options, terminal)
  const done = await migrate(registry, {
    ...scope,
    plans,
    lockTimeout,
    onStep: (step, { dataSource, position, total }) =>
      terminal.progress(`${dataSource} ${position}/${total} ${step.description}`)
  })
  terminal.progress('')
  terminal.err(
    `${count(
      done.reduce((sum, { steps }) => sum + steps.length, 0),
      'step'
    )} done`
  )
}

/**
 * Checks the combination of options. `exclusiveOptions`: the first of each list excludes the others. `belonging`: the key
 * requires its value.
 * @throws {CommandError} USAGE: some do not go together
 */
export function checkTogether(
  given: Readonly<Record<string, unknown>>,
  exclusiveOptions: readonly (readonly string[])[],
  belonging: Readonly<Record<string, string>>
): void {
  for (const [first = '', ...others] of exclusiveOptions) {
    const other = others.find((name) => given[name] !== undefined)
    if (given[first] !== undefined && other !== undefined)
      throw new CommandError('USAGE', `${flag(first)} and ${flag(other)} cannot be combined`)
  }
  for (const [option, owner] of Object.entries(belonging))
    if (given[option] !== undefined && given[owner] === undefined)
      throw new CommandError('USAGE', `${flag(option)} requires ${flag(owner)}`)
}

/**
 * `--mark-applied`: records migrations as applied without running them, such as the first one of a database whose tables
 * exist.
 */
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
  if (due.length === 0) terminal.err('all of them are already recorded')
  if (due.length === 0 || options.dryRun === true) return
  await confirmOrThrow('Record this?', options, terminal)
  for (const { name: dataSource, history } of sources) {
    const own = due.filter((each) => each.dataSource === dataSource)
    if (own.length === 0) continue
    await history.record(settings.table, (rows) => own.filter(({ name }) => !rows.some((row) => row.name === name)), {
      lockTimeout
    })
  }
}

/** `--accept-changed`: records the current checksums of files that were changed after they ran. */
export async function acceptChanged(work: MigrationWork): Promise<void> {
  const { files, options, terminal, settings, lockTimeout } = work
  const { sources } = await readOverview(files, placeOf(work))
  const changedIn = (rows: readonly Pick<MigrationFile, 'name' | 'checksum'>[]): readonly MigrationFile[] =>
    files.filter((file) => rows.some(({ name, checksum }) => name === file.name && checksum !== file.checksum))
  const changed = sources.flatMap(({ name, recorded }) => changedIn(recorded).map((file) => `${name}: ${file.name}`))
  for (const each of changed) terminal.out(`${each} is accepted with its current file`)
  if (changed.length === 0) terminal.err('no file was changed after it ran')
  if (changed.length === 0 || options.dryRun === true) return
  await confirmOrThrow('Record this?', options, terminal)
  for (const { history, recorded } of sources)
    if (changedIn(recorded).length > 0) await history.record(settings.table, changedIn, { lockTimeout })
}

/**
 * Asks for confirmation before a change, unless `yes` is set.
 * @throws {CommandError} NOT_CONFIRMED: the answer was no, or there is no terminal
 */
export async function confirmOrThrow(
  question: string,
  { yes = false }: { readonly yes?: boolean },
  terminal: Terminal
): Promise<void> {
  if (yes) return
  if (!terminal.isInteractive)
    throw new CommandError(
      'NOT_CONFIRMED',
      'this is not a terminal, so the plan cannot be confirmed: pass --yes to run it'
    )
  if (!(await terminal.confirm(question))) throw new CommandError('NOT_CONFIRMED', 'nothing was changed', 1)
}
