import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { folderOf, withApp } from '../load-app.ts'
import { applyMigrations } from '../migrations/apply.ts'
import { checkTogether, runPlan, acceptChanged, markApplied } from '../migrations/run-plan.ts'
import { createMigrations } from '../migrations/create.ts'
import { type MigrateOptions, type MigrationWork, readMigrationSettings } from '../migrations/settings.ts'
import { listMigrationFiles } from '../migrations/migration-file.ts'
import { revertMigrations } from '../migrations/revert.ts'
import { printStatus } from '../migrations/status.ts'
import { type DefineCommand, appOptions } from './command.ts'

const examples = `
Examples:
  $ modelwire migrate . --plan
  $ modelwire migrate . --yes                # in a deployment
  $ modelwire migrate . --create add-price   # writes migrations/<time>-add-price.mjs
  $ modelwire migrate . --status --check     # in continuous integration`

/** `modelwire migrate <dir>`: creates and updates the tables of an application's models. */
export const defineMigrate: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Shows what must change for the databases of an application to match its models, asks for confirmation, and applies it. Another process ' +
        'that migrates the same database waits meanwhile. Nothing is dropped without --prune or --empty.\n\n' +
        'If the application has a folder "migrations" with files written by --create, these are applied instead, ' +
        'each of them once, in the order of their names.'
    )
    .option('--plan', 'show what differs between models and databases, and change nothing')
    .option('--yes', 'run without asking')
    .option('--prune', 'drop columns and unique indexes that no model declares')
    .option('--empty', "drop the tables first: all records are lost, as with LoopBack's automigrate")
    .option('--data-source <names...>', 'only these data sources')
    .option('--model <names...>', 'only these models')
    .option('--lock-timeout <ms>', 'how long to wait for other migrations, and for tables that are in use', '60000')
    .option('--json', 'print the plans as JSON, or with --status the migrations')
  fileOptions(command)
    .addHelpText('after', examples)
    .action(async (dir: string, options: MigrateOptions) => finish(await run(dir, options, terminal)))
}

function fileOptions(command: Command): Command {
  return command
    .optionsGroup('Migration files:')
    .option(
      '--create <name>',
      'write the differences between models and databases to a file for review, and change nothing'
    )
    .option('--rename <old=new...>', 'with --create: table=new or table.column=new, keeping its records')
    .option('--no-rename', 'with --create: treat new columns as new, not renamed')
    .option('--baseline', 'with --create: write all tables, as for an empty database')
    .option('--data', 'with --create: write a file even if nothing differs')
    .option('--status', 'show which migrations were applied, and whether models and databases differ')
    .option('--check', 'with --status: exit with 1 unless all were applied unchanged and nothing differs')
    .option('--dry-run', 'show what would run, and change nothing')
    .option('--to <name>', 'stop after this migration; with --down, revert those after it')
    .option('--down [number]', 'revert the last migrations that were applied (default: 1)')
    .option('--lose-data', 'with --down: run steps that delete data')
    .option('--resume <step>', 'resume an aborted migration at this step')
    .option('--mark-applied <names...>', 'record migrations as applied without running them')
    .option('--accept-changed', 'accept files that were changed after they ran')
}

/** Options that one of a kind is given of, and those that belong to another. */
const exclusiveOptions: readonly (readonly string[])[] = [
  ['create', 'status', 'down', 'markApplied', 'acceptChanged', 'empty', 'plan', 'to', 'resume', 'dryRun'],
  ['status', 'down', 'markApplied', 'acceptChanged', 'empty', 'prune', 'plan', 'to', 'resume', 'dryRun'],
  ['down', 'markApplied', 'acceptChanged', 'empty', 'prune', 'plan'],
  ['markApplied', 'acceptChanged', 'empty', 'prune', 'plan', 'to', 'resume'],
  ['acceptChanged', 'empty', 'prune', 'plan', 'to', 'resume']
]

/** Options that mean nothing without another one. */
const belonging: Readonly<Record<string, string>> = {
  rename: 'create',
  baseline: 'create',
  data: 'create',
  check: 'status',
  loseData: 'down'
}

async function run(dir: string, options: MigrateOptions, terminal: MigrationWork['terminal']): Promise<number> {
  const lockTimeout = Number(options.lockTimeout)
  if (!Number.isInteger(lockTimeout) || lockTimeout < 0)
    throw new CommandError('USAGE', `--lock-timeout must be a number of milliseconds, not ${options.lockTimeout}`)
  checkTogether({ ...options }, exclusiveOptions, belonging)
  const settings = await readMigrationSettings(await folderOf(dir))
  const files = await listMigrationFiles(settings.folder)
  return withApp(dir, { ...options, connectors: 'required', warn: terminal.err }, async ({ server }) =>
    carryOut({ registry: server.models, settings, files, options, lockTimeout, terminal })
  )
}

async function carryOut(work: MigrationWork): Promise<number> {
  const { options } = work
  if (options.status === true) return printStatus(work)
  if (options.create !== undefined) await createMigrations(work, options.create)
  else if (options.markApplied !== undefined) await markApplied(work, options.markApplied)
  else if (options.acceptChanged === true) await acceptChanged(work)
  else if (options.down !== undefined) await revertMigrations(work, options.down)
  else await bringUp(work)
  return succeeded
}

/** Applies files where there are any; databases that have none are brought up to their models by a plan. */
async function bringUp(work: MigrationWork): Promise<void> {
  const { registry, files, options } = work
  const isByFiles = files.length > 0 || options.to !== undefined || options.resume !== undefined
  if (!isByFiles || options.plan === true) return runPlan(work, options.dataSource)
  if (options.empty === true || options.prune === true || options.model !== undefined)
    throw new CommandError(
      'USAGE',
      '--empty, --prune and --model cannot be combined with migration files: create one with --create'
    )
  await applyMigrations(work)
  const others = [...registry.dataSources.values()].filter(
    ({ name, connector }) =>
      connector.planMigration !== undefined &&
      connector.migrationHistory === undefined &&
      (options.dataSource?.includes(name) ?? true)
  )
  if (others.length > 0)
    await runPlan(
      work,
      others.map(({ name }) => name)
    )
}
