import type { Effect, Examination, Finding } from '@modelwire/boot'
import { examineProject, type ProjectExamination } from '../check-project.ts'
import { CommandError } from '../errors.ts'
import { failed, succeeded } from '../exit-codes.ts'
import { folderOf } from '../folder-of.ts'
import { type AppOptions, bootOptions } from '../load-app.ts'
import { findBuildServer } from '../load-project.ts'
import type { Terminal } from '../terminal.ts'
import { visible } from '../visible.ts'
import { type DefineCommand, appOptions } from './command.ts'

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
    ? `written for LoopBack ${examination.version}, as ${examination.env}`
    : 'a project of Modelwire'
  out(`${visible(examination.dir)}, ${origin}`)
  printFindings(examination.findings, terminal)
  out(isFolder ? describeServed(examination) : describeServedProject(examination))
  out(style('bold', describeCounts(examination.findings)))
}

/** @throws {CommandError} APP_FOLDER_INVALID: the folder holds no application */
async function examine(dir: string, options: AppOptions): Promise<Examination | ProjectExamination> {
  const folder = await folderOf(dir)
  const build = await findBuildServer(folder)
  if (build !== undefined) return examineProject(folder, build)
  const { AppFolderInvalid, examineApplication } = await import('@modelwire/boot')
  try {
    return await examineApplication(bootOptions(folder, options))
  } catch (error) {
    if (error instanceof AppFolderInvalid) throw new CommandError(error.code, error.message)
    throw error
  }
}

/** `modelwire check <dir>`: what of an application runs, what differs and what does not. */
export const defineCheck: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Reads a LoopBack 3 project and says what runs, what works differently and what does not, with file, line and what to ' +
        'do. Nothing is started: no script is run and no database is contacted, so what scripts do when they run is not seen. ' +
        'A project whose package.json names its server is started without listening. ' +
        'Exits with 0 when everything runs, with 1 when something does not.'
    )
    .option('--json', 'one JSON object in place of text')
    .addHelpText('after', '\nExamples:\n  $ modelwire check .\n  $ modelwire check . --env production --json   # in CI')
    .action(async (dir: string, options: AppOptions & { json?: boolean }) => {
      const examination = await examine(dir, options)
      if (options.json === true) terminal.out(JSON.stringify(examination, null, 2))
      else printExamination(examination, terminal)
      finish(examination.findings.some(({ effect }) => effect === 'fails') ? failed : succeeded)
    })
}
