import { type DataSourcePlan, planMigration } from '@modelwire/core'
import type { RecordedMigration } from '@modelwire/core/connector'
import { failed, succeeded } from '../exit-codes.ts'
import { writeTable, type Terminal } from '../terminal.ts'
import { count } from './run-plan.ts'
import { type MigrationWork, placeOf } from './settings.ts'
import type { Migration, MigrationFile, FileStep } from './migration-file.ts'
import { type FileSource, type Overview, readOverview } from './sources.ts'

type State = 'applied' | 'pending' | 'changed' | 'missing' | 'incomplete'

/** A migration of a data source, as shown by `--status --json`. */
interface MigrationStatus {
  readonly name: string
  readonly state: State
  readonly detail: string
  readonly checksum: string
  readonly appliedAt?: string
  /** Milliseconds. */
  readonly duration?: number
}

interface SourceStatus {
  readonly dataSource: string
  readonly migrations: readonly MigrationStatus[]
  /** The differences between models and database; null if migrations are pending or incomplete. */
  readonly drift: Pick<DataSourcePlan, 'steps' | 'notes'> | null
}

/**
 * `--status`: prints what was applied to each database. With `--check` the exit code is 1 unless everything is applied and
 * nothing differs.
 */
export async function printStatus(work: MigrationWork): Promise<number> {
  const { options, terminal, files } = work
  const overview = await readOverview(files, placeOf(work))
  const statuses: SourceStatus[] = []
  for (const source of overview.sources) statuses.push(await statusOf(source, overview, work))
  if (options.json === true) terminal.out(JSON.stringify(statuses, null, 2))
  else for (const status of statuses) printSource(status, work)
  if (statuses.length === 0) terminal.err('no data source is an SQL database')
  return options.check === true && !statuses.every(isClean) ? failed : succeeded
}

function isClean({ migrations, drift }: SourceStatus): boolean {
  return migrations.every(({ state }) => state === 'applied') && drift?.steps.length === 0
}

async function statusOf(
  source: FileSource,
  { files, unapplied }: Overview,
  { registry }: MigrationWork
): Promise<SourceStatus> {
  const pending = unapplied.filter(
    ({ name, dataSource }) => dataSource === source.name && !source.recorded.some((row) => row.name === name)
  )
  const migrations = [...source.recorded.map((row) => recordedStatus(row, files)), ...pending.map(pendingStatus)]
  const isComplete = migrations.every(({ state }) => state !== 'pending' && state !== 'incomplete')
  const plans = isComplete ? await planMigration(registry, { dataSources: [source.name] }) : []
  const { steps = [], notes = [] } = plans[0] ?? {}
  return { dataSource: source.name, migrations, drift: isComplete ? { steps, notes } : null }
}

const pendingStatus = ({ name, checksum }: Migration): MigrationStatus => ({
  name,
  checksum,
  state: 'pending',
  detail: ''
})

function recordedStatus(row: RecordedMigration, files: readonly MigrationFile[]): MigrationStatus {
  const { name, checksum, appliedAt, duration } = row
  const shared = { name, checksum, appliedAt, duration }
  const file = files.find((each) => each.name === name)
  if (row.state !== 'applied') return { ...shared, state: 'incomplete', detail: describeIncomplete(row) }
  if (file === undefined) return { ...shared, state: 'missing', detail: 'its file is not in the folder' }
  if (file.checksum !== checksum) return { ...shared, state: 'changed', detail: 'its file was changed after it ran' }
  return { ...shared, state: 'applied', detail: '' }
}

const incomplete: Readonly<Record<Exclude<RecordedMigration['state'], 'applied'>, (step: number) => string>> = {
  applying: (step) => `step ${step} is running, or was aborted`,
  'apply failed': (step) => `step ${step} failed, the steps before it took effect`,
  reverting: (step) => `step ${step} of the revert is running, or was aborted`,
  'revert failed': (step) => `step ${step} of the revert failed, the steps before it took effect`
}

function describeIncomplete({ state, stepsDone }: RecordedMigration): string {
  return state === 'applied' ? '' : incomplete[state](stepsDone + 1)
}

function printSource({ dataSource, migrations, drift }: SourceStatus, { settings, terminal }: MigrationWork): void {
  const { out, style } = terminal
  out(`${style('bold', dataSource)} (recorded in ${settings.table})`)
  if (migrations.length === 0) out('  no migrations')
  const rows = migrations.map(({ state, name, detail, appliedAt, duration }) => {
    const when = appliedAt === undefined || state === 'incomplete' ? '' : `${appliedAt}  ${duration} ms`
    return [state, name, when, detail]
  })
  for (const line of writeTable(rows)) out(`  ${line}`)
  for (const line of driftLines(drift)) out(`  ${line}`)
}

function driftLines(drift: SourceStatus['drift']): readonly string[] {
  if (drift === null) return ['models and database are compared once all migrations are applied']
  const { steps, notes } = drift
  const more = notes.map((note) => `note: ${note}`)
  if (steps.length === 0) return ['the database matches the models', ...more]
  const differing = steps.map(({ description }) => `  ${description}`)
  return [
    `the models differ from the database in ${count(steps.length, 'step')}; --create writes a migration:`,
    ...differing,
    ...more
  ]
}

/** Prints the steps of a migration, marking those that delete data with a `!`. */
export function printSteps(steps: readonly FileStep[], { out, style }: Terminal): void {
  for (const step of steps) {
    const mark = deletesData(step) ? style('red', '!') : style('green', '+')
    const [first = '', ...rest] = textOf(step).split('\n')
    out(`    ${mark} ${first}`)
    for (const line of rest) out(style('dim', `      ${line}`))
  }
}

/** The step deletes data, as its file says. */
function deletesData(step: FileStep): boolean {
  return typeof step === 'object' && 'losesData' in step
}

/** A question that states how many of the steps delete data. */
export function questionOn(question: string, steps: readonly FileStep[]): string {
  const lost = steps.filter(deletesData).length
  return lost === 0
    ? question
    : `${question} ${count(lost, 'step')}, marked !, ${lost === 1 ? 'deletes' : 'delete'} data.`
}

function textOf(step: FileStep): string {
  if (typeof step === 'string') return step
  if (typeof step === 'function') return `code${step.name === '' ? '' : `: ${step.name}`}`
  return 'missing' in step ? `not written yet: must restore ${step.missing}` : step.statement
}
