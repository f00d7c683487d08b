import { resolve } from 'node:path'
import type { ModelRegistry } from '@modelwire/core'
import { seed, type SeedOptions, type SeedReport } from '@modelwire/seeds'
import { succeeded } from '../exit-codes.ts'
import { folderOf } from '../folder-of.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'
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

/** `modelwire seed [dir]`: fills the models of an application from files. */
export const defineSeed: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Stores the records of the folder "seeds": JSON files named after models, such as seeds/Product.json, then scripts. ' +
        'Records with an id or a unique value are changed where they differ, others are created unless an equal one is there, ' +
        'so that the command can run again. Hooks and validation run as for all writes in code. Everything is one ' +
        'transaction where the data source has them.'
    )
    .option('--only <names...>', 'only the files of these names, such as Product')
    .option('--environment <name>', 'whose configuration files and seeds/<name> count: another name of --env')
    .option('--folder <path>', 'the folder with the seeds, from that of the application', 'seeds')
    .option('--dry-run', 'show what would be stored, and change nothing; scripts are not run')
    .option('--reset', 'delete all records of these models first; refused in production')
    .option('--force', 'of --reset: delete them in production, too')
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
      err(`the data source "${name}" is in memory: what is stored there ends with this command`)
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
