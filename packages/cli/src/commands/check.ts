import type { Effect } from '@modelwire/boot'
import type { Examination } from '../check/examine-application.ts'
import { examineDatabase } from '../check/examine-database.ts'
import type { Finding } from '../check/finding.ts'
import { CommandError } from '../errors.ts'
import { failed, succeeded } from '../exit-codes.ts'
import { folderOf, type AppOptions, bootOptions } from '../load-app.ts'
import { findBuildServer, type BuildServer, startProject } from '../load-project.ts'
import { type Terminal, visible } from '../terminal.ts'
import { type DefineCommand, appOptions } from './command.ts'
import { DefinitionError, type ModelRegistry } from '@modelwire/core'
import { withoutListening } from '@modelwire/server'

/** The findings of starting a project without listening. */
interface ProjectExamination {
  readonly dir: string
  readonly findings: readonly Finding[]
  /** Undefined if the project does not start. */
  readonly served: { readonly models: readonly string[]; readonly paths: readonly string[] } | undefined
}

const headings = [
  ['fails', 'red', 'Does not run'],
  ['differs', 'yellow', 'Works differently'],
  ['info', 'cyan', 'Good to know']
] as const

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`

function printFinding(finding: Finding, { out, style }: Terminal): void {
  const { line, code } = finding
  const [file, reason] = [visible(finding.file), visible(finding.reason)]
  const [key, advice] = [finding.key, finding.advice].map((text) => text && visible(text))
  const place = line === undefined ? file : `${file}:${line}`
  out(`  ${style('bold', place)}${key === undefined ? '' : `  ${style('dim', key)}`}`)
  out(`    ${reason}${code === undefined ? '' : style('dim', ` (${code})`)}`)
  if (advice !== undefined) out(`    ${style('green', '→')} ${advice}`)
}

function describeModels(names: readonly string[], paths: readonly string[]): string {
  const list = names.length === 0 ? '' : ` (${names.join(', ')})`
  return `${count(names.length, 'public model')}${list} at ${paths.join(', ') || 'no path'}`
}

/** What runs, in one line. */
function describeServed({ served, scripts }: Examination): string {
  if (served === undefined) return 'The application does not start.'
  const { models, paths, dataSources } = served
  const names = models.map(({ name }) => name)
  const parts = [describeModels(names, paths), count(dataSources.length, 'data source'), count(scripts, 'script')]
  return visible(`Examined: ${parts.join(', ')}.`)
}

function describeServedProject({ served }: ProjectExamination): string {
  if (served === undefined) return 'The project does not start.'
  return visible(`Started: ${describeModels(served.models, served.paths)}.`)
}

function describeCounts(findings: readonly Finding[]): string {
  const of = (effect: Effect): number => findings.filter((finding) => finding.effect === effect).length
  const [fails, differs, infos] = [of('fails'), of('differs'), of('info')]
  const rest = `${differs} ${differs === 1 ? 'works' : 'work'} differently, ${infos} good to know.`
  return fails === 0
    ? `Everything runs; ${rest}`
    : `${count(fails, 'part')} ${fails === 1 ? 'does' : 'do'} not run; ${rest}`
}

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const { out, style } = terminal
  for (const [effect, colour, heading] of headings) {
    const own = findings.filter((finding) => finding.effect === effect)
    if (own.length === 0) continue
    out('')
    out(style([colour, 'bold'], `${heading} (${own.length})`))
    for (const finding of own) printFinding(finding, terminal)
  }
  out('')
}

function printExamination(examination: Examination | ProjectExamination, terminal: Terminal): void {
  const { out, style } = terminal
  const isFolder = 'env' in examination
  const origin = isFolder
    ? `written for LoopBack ${examination.version}, environment ${examination.env}`
    : 'a Modelwire project'
  out(`${visible(examination.dir)}, ${origin}`)
  printFindings(examination.findings, terminal)
  out(isFolder ? describeServed(examination) : describeServedProject(examination))
  out(style('bold', describeCounts(examination.findings)))
}

interface CheckOptions extends AppOptions {
  readonly json?: boolean
  readonly databases?: boolean
}

/** @throws {CommandError} APP_FOLDER_INVALID: the folder holds no application */
async function examine(dir: string, options: CheckOptions): Promise<Examination | ProjectExamination> {
  const folder = await folderOf(dir)
  const build = await findBuildServer(folder)
  if (build !== undefined) return examineProject(folder, build)
  const { AppFolderInvalid } = await import('@modelwire/boot')
  const { examineApplication } = await import('../check/examine-application.ts')
  try {
    return await examineApplication(bootOptions(folder, options), { databases: options.databases === true })
  } catch (error) {
    if (error instanceof AppFolderInvalid) throw new CommandError(error.code, error.message)
    throw error
  }
}

/** `modelwire check <dir>`: what runs, what differs and what does not run in an application. */
export const defineCheck: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Reads a LoopBack 3 project and reports what runs, what works differently and what does not run, with file, line and what to ' +
        'do. Nothing is started: scripts are not executed, so anything they set up at run time is not seen, and no database is contacted ' +
        'without --databases. ' +
        'A project whose package.json names its server is started without listening. ' +
        'Exits with 0 if everything runs, and with 1 otherwise.'
    )
    .option('--databases', 'also connect to the databases and report what startup would report about their tables')
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', '\nExamples:\n  $ modelwire check .\n  $ modelwire check . --env production --json   # in CI')
    .action(async (dir: string, options: CheckOptions) => {
      const examination = await examine(dir, options)
      if (options.json === true) terminal.out(JSON.stringify(examination, null, 2))
      else printExamination(examination, terminal)
      finish(examination.findings.some(({ effect }) => effect === 'fails') ? failed : succeeded)
    })
}

function servedBy({ mounts }: ModelRegistry): NonNullable<ProjectExamination['served']> {
  const names = mounts.flatMap(({ routes }) => routes.map(({ operation }) => operation.model.name))
  return { models: [...new Set(names)], paths: mounts.map(({ prefix }) => prefix || '/') }
}

function findingOf({ message, code, where: { file, model, key } }: DefinitionError): Finding {
  const place = [model, key].filter(Boolean).join(' ')
  return { effect: 'fails', file: file ?? 'package.json', key: place, code, reason: message }
}

/** What the databases of a started project have that an application should know. */
async function databaseFindings(registry: ModelRegistry): Promise<readonly Finding[]> {
  const sources = [...registry.dataSources.values()]
  const found = sources.map(async (source) =>
    examineDatabase(registry, source, ({ model, property }) => ({
      file: 'package.json',
      key: [model, property && `properties.${property}`].filter(Boolean).join(' ')
    }))
  )
  return (await Promise.all(found)).flat()
}

/** Starts a project without listening, its data sources too, and ends it: a definition that is wrong is a finding. */
async function examineProject(dir: string, build: BuildServer): Promise<ProjectExamination> {
  try {
    const server = await withoutListening(async () => startProject(build, { logger: false }))
    try {
      return { dir, findings: await databaseFindings(server.models), served: servedBy(server.models) }
    } finally {
      await server.close()
    }
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return { dir, findings: [findingOf(error)], served: undefined }
  }
}
