import { resolve } from 'node:path'
import type { ModelRegistry } from '@modelwire/core'
import { seed, type SeedOptions, type SeedReport } from '../seeds/index.ts'
import { succeeded } from '../exit-codes.ts'
import { folderOf, type AppOptions, withApp } from '../load-app.ts'
import { type Terminal, writeTable } from '../terminal.ts'
import { type DefineCommand, appOptions } from './command.ts'

interface SeedCommandOptions extends AppOptions, Pick<SeedOptions, 'dryRun' | 'reset' | 'force'> {
  readonly environment?: string
  readonly folder: string
  readonly only?: string[]
  readonly json?: boolean
}

const examples = `
Examples:
  $ modelwire seed . --dry-run
  $ modelwire seed . --only Product Category
  $ modelwire seed . --env staging        # seeds/staging as well, and its configuration`

/** `modelwire seed [dir]`: stores records from files in an application's models. */
export const defineSeed: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Stores the records of the folder "seeds": JSON files named after models, such as seeds/Product.json, then scripts. ' +
        'Records with an id or a unique value are updated if they differ; others are created unless an equal record exists, ' +
        'so the command can be run again. Hooks and validation run as for all writes in code. Everything is one ' +
        'transaction if the data source supports them.'
    )
    .option('--only <names...>', 'only the files of these names, such as Product')
    .option(
      '--environment <name>',
      'environment whose configuration files and seeds/<name> are used: another name for --env'
    )
    .option('--folder <path>', 'folder that contains the seeds, relative to that of the application', 'seeds')
    .option('--dry-run', 'show what would be stored, and change nothing; scripts are not run')
    .option('--reset', 'delete all records of these models first; refused in production')
    .option('--force', 'with --reset: delete them in production, too')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples)
    .action(async (dir: string | undefined, options: SeedCommandOptions) => {
      await run(await folderOf(dir ?? '.'), options, terminal)
      finish(succeeded)
    })
}

async function run(dir: string, options: SeedCommandOptions, terminal: Terminal): Promise<void> {
  const { folder, only, dryRun, reset, force, environment = options.env } = options
  const app = { ...options, ...(environment === undefined ? {} : { env: environment }) }
  const report = await withApp(dir, { ...app, connectors: 'required', warn: terminal.err }, async ({ server }) => {
    warnAboutMemory(server.models, terminal)
    return seed(server, resolve(dir, folder), { only, environment, dryRun, reset, force })
  })
  if (options.json === true) terminal.out(JSON.stringify(report, null, 2))
  else printReport(report, terminal)
}

/** What is only in memory ends with the command. */
function warnAboutMemory({ dataSources }: ModelRegistry, { err }: Terminal): void {
  for (const { name, connector, settings } of dataSources.values())
    if (connector.name === 'memory' && !settings['file'])
      err(`the data source "${name}" is in memory: its records are lost when this command ends`)
}

const verbs = { created: 'create', changed: 'change', unchanged: 'keep' } as const

function printReport({ models, records, scripts, dryRun }: SeedReport, terminal: Terminal): void {
  const { out, err, style } = terminal
  if (dryRun) for (const line of records.map(describeRecord)) out(line)
  const hasDeleted = models.some(({ deleted }) => deleted > 0)
  const rows = models.map(({ model, created, changed, unchanged, deleted }) => [
    model,
    ...[created, changed, unchanged, ...(hasDeleted ? [deleted] : [])].map(String)
  ])
  const heads = ['MODEL', 'CREATED', 'CHANGED', 'UNCHANGED', ...(hasDeleted ? ['DELETED'] : [])]
  const [head = '', ...lines] = writeTable([heads, ...rows])
  out(style('bold', head))
  for (const line of lines) out(line)
  for (const script of scripts) out(`${script}${dryRun ? ' would run' : ' ran'}`)
  if (dryRun) err('a dry run: nothing was stored')
}

function describeRecord({ action, model, file, index, changes }: SeedReport['records'][number]): string {
  const names = action === 'changed' ? `: ${changes.join(', ')}` : ''
  return `${verbs[action]}  ${model}  ${file}[${index}]${names}`
}
