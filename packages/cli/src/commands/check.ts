import { AppFolderInvalid, type Effect, type Examination, examineApplication, type Finding } from '@modelwire/boot'
import { CommandError } from '../errors.ts'
import { failed, succeeded } from '../exit-codes.ts'
import { type AppOptions, bootOptions, folderOf } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import { visible } from '../visible.ts'
import { type AddCommand, appCommand } from './command.ts'

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

/** What runs, in one line. */
function describeServed({ served, scripts }: Examination): string {
  if (served === undefined) return 'The application does not start.'
  const { models, paths, dataSources } = served
  const names = models.map(({ name }) => name).join(', ')
  const parts = [
    `${count(models.length, 'public model')}${names === '' ? '' : ` (${names})`} at ${paths.join(', ') || 'no path'}`,
    count(dataSources.length, 'data source'),
    count(scripts, 'script')
  ]
  return visible(`Examined: ${parts.join(', ')}.`)
}

function describeCounts(findings: readonly Finding[]): string {
  const of = (effect: Effect): number => findings.filter((finding) => finding.effect === effect).length
  const [fails, differs, infos] = [of('fails'), of('differs'), of('info')]
  const rest = `${differs} ${differs === 1 ? 'works' : 'work'} differently, ${infos} good to know.`
  return fails === 0
    ? `Everything runs; ${rest}`
    : `${count(fails, 'part')} ${fails === 1 ? 'does' : 'do'} not run; ${rest}`
}

function printExamination(examination: Examination, terminal: Terminal): void {
  const { dir, env, version, findings } = examination
  const { out, style } = terminal
  out(`${visible(dir)}, written for LoopBack ${version}, as ${env}`)
  for (const [effect, colour, heading] of headings) {
    const own = findings.filter((finding) => finding.effect === effect)
    if (own.length === 0) continue
    out('')
    out(style([colour, 'bold'], `${heading} (${own.length})`))
    for (const finding of own) printFinding(finding, terminal)
  }
  out('')
  out(describeServed(examination))
  out(style('bold', describeCounts(findings)))
}

/** @throws {CommandError} APP_FOLDER_INVALID: the folder holds no application */
async function examine(dir: string, options: AppOptions): Promise<Examination> {
  try {
    return await examineApplication(bootOptions(await folderOf(dir), options))
  } catch (error) {
    if (error instanceof AppFolderInvalid) throw new CommandError(error.code, error.message)
    throw error
  }
}

/** `modelwire check <dir>`: what of an application runs, what differs and what does not. */
export const addCheck: AddCommand = ({ program, terminal, finish }) => {
  appCommand(program, 'check', 'say what of a LoopBack application runs, what differs and what does not')
    .description(
      'Reads a LoopBack 3 project and says what runs, what works differently and what does not, with file, line and what to ' +
        'do. Nothing is started: no script is run and no database is contacted, so what scripts do when they run is not seen. ' +
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
