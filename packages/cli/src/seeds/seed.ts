import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { checkOptions } from '@modelwire/server'
import { SeedError, SeedRecordRefused, SeedResetRefused, SeedScriptFailed } from '../errors.ts'
import { listSeedFiles, type SeedFiles } from './list-seed-files.ts'
import { type SeedOptions, SeedOptionsSchema, beginRun, type SeedRun } from './seed-run.ts'
import { orderModels, type SeedOrder } from './order-models.ts'
import { readRecords } from './read-records.ts'
import { countOutcomes, type SeedReport, type SeedRecord } from './report.ts'
import { runScript, type SeededApp } from './run-script.ts'
import { storeRecord, storeWaiting } from './store-record.ts'

type Settings = ReturnType<typeof checkSeedOptions>

/** The inputs of a run, read before anything is stored. */
interface SeedPlan {
  readonly app: SeededApp
  readonly settings: Settings
  readonly files: SeedFiles
  readonly records: readonly SeedRecord[]
  readonly order: SeedOrder
}

const checkSeedOptions = (options: SeedOptions) => checkOptions('seed', SeedOptionsSchema, options)

// LB3: an empty NODE_ENV is as none.
const environmentOf = ({ environment }: Pick<SeedOptions, 'environment'>): string =>
  environment ?? (process.env['NODE_ENV'] || 'development')

function refuseReset(settings: Settings): void {
  const { reset, force } = settings
  const isProduction = [environmentOf(settings), process.env['NODE_ENV']].includes('production')
  if (reset && !force && isProduction)
    throw new SeedResetRefused('records are not deleted in production: use "force" to allow it')
}

async function planSeeds(app: SeededApp, dir: string, settings: Settings): Promise<SeedPlan> {
  const files = await listSeedFiles(dir, environmentOf(settings), settings.only)
  const lists = await Promise.all(files.json.map(async (file) => readRecords(app.models, file)))
  const records = lists.flat()
  // An empty list has a model as well: `reset` empties it.
  const models = new Set(files.json.map(({ name }) => app.models.typeOf(name)))
  return { app, settings, files, records, order: orderModels([...models], records) }
}

async function emptyModels(run: SeedRun, names: readonly string[]): Promise<void> {
  for (const name of names.toReversed()) {
    const model = run.registry.get(name)
    const count = run.dryRun ? await model.count() : (await model.destroyAll()).count
    run.deleted.set(name, count)
  }
}

async function carryOut({ app, settings, files, records, order }: SeedPlan, run: SeedRun): Promise<void> {
  if (settings.reset) await emptyModels(run, order.names)
  const ordered = order.names.flatMap((name) => records.filter(({ model }) => model.name === name))
  for (const record of ordered) await storeRecord(run, record)
  await storeWaiting(run)
  if (!settings.dryRun) for (const file of files.scripts) await runScript(run, app, file)
}

/** The data sources with transactions that a run writes to; scripts may write to any. */
function transactional(registry: ModelRegistry, { order, files, settings }: SeedPlan): readonly string[] {
  if (settings.dryRun) return []
  const models: readonly ModelType[] = order.names.map((name) => registry.typeOf(name))
  const own = new Set(models.map(({ dataSource }) => dataSource?.name))
  return [...registry.dataSources.values()]
    .filter(({ name, connector }) => connector.capabilities.transactions && (own.has(name) || files.scripts.length > 0))
    .map(({ name }) => name)
}

/** Runs `work` in a transaction of each of these data sources. */
async function within(registry: ModelRegistry, names: readonly string[], work: () => Promise<void>): Promise<void> {
  const [dataSource, ...others] = names
  if (dataSource === undefined) return work()
  return registry.transaction(async () => within(registry, others, work), { dataSource })
}

/**
 * Stores the seeds of a folder: JSON files named after models, in the order of their dependencies, then scripts. A record
 * with an id or a unique value is updated if it differs; any other is created unless an equal one exists. Everything is one
 * transaction per data source that supports them.
 * @param dir the folder
 * @throws {SeedError} something is wrong with the seeds; the subclass names the reason, `where` and `index` the place
 */
export async function seed(app: SeededApp, dir: string, options: SeedOptions = {}): Promise<SeedReport> {
  const settings = checkSeedOptions(options)
  refuseReset(settings)
  const { models } = app
  const plan = await planSeeds(app, dir, settings)
  let run = beginRun(models, settings.dryRun)
  try {
    await within(models, transactional(models, plan), async () => {
      run = beginRun(models, settings.dryRun, plan.order.later)
      await carryOut(plan, run)
    })
  } catch (error) {
    if (error instanceof SeedError) throw error
    // Not where it is thrown: a database that repeats a transaction has to see its own error.
    throw failureAt(run, error)
  }
  return reportOf(plan, run)
}

function failureAt({ at }: SeedRun, error: unknown): SeedError {
  const message = error instanceof Error ? error.message : String(error)
  const isScript = at.file !== undefined && at.index === undefined
  return isScript
    ? new SeedScriptFailed(`the script failed: ${message}`, at, { cause: error })
    : new SeedRecordRefused(`refused: ${message}`, at, { cause: error })
}

function reportOf({ files, settings }: SeedPlan, { outcomes, deleted }: SeedRun): SeedReport {
  return {
    dryRun: settings.dryRun,
    models: countOutcomes(outcomes, deleted),
    records: outcomes,
    scripts: files.scripts.map(({ file }) => file)
  }
}
