import { writeFile } from 'node:fs/promises'
import { CommandError } from '../errors.ts'
import { failed, succeeded } from '../exit-codes.ts'
import { type GeneratedReads, generateReads } from '../diff/generate-reads.ts'
import type { ModelPlace } from '../diff/group-outcomes.ts'
import { htmlReport } from '../diff/html-report.ts'
import { ignoreRules } from '../diff/ignore-rules.ts'
import { type Outcome, runDiff } from '../diff/run-diff.ts'
import { readTraffic } from '../diff/traffic.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import { type Terminal, visible } from '../terminal.ts'
import type { DefineCommand } from './command.ts'

interface DiffOptions extends AppOptions {
  readonly old: string
  readonly new: string
  readonly traffic?: string
  readonly app?: string
  readonly ignore?: readonly string[]
  readonly ignoreIds?: boolean
  readonly ignoreTimes?: boolean
  readonly header?: readonly string[]
  readonly html?: string
  readonly json?: string | true
  readonly show: string
}

function urlOf(text: string, option: string): URL {
  if (URL.canParse(text) && /^https?:/.test(text)) return new URL(text)
  throw new CommandError('USAGE', `${option} must be the URL of a server, such as http://localhost:3000, not ${text}`)
}

function headersOf(written: readonly string[]): Record<string, string> {
  const pairs = written.map((text) => {
    const colon = text.indexOf(':')
    if (colon < 1) throw new CommandError('USAGE', `--header must be "name: value", not ${text}`)
    return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()] as const
  })
  return Object.fromEntries(pairs)
}

async function readsOf(dir: string, options: AppOptions, { err: warn }: Terminal): Promise<GeneratedReads> {
  return withApp(dir, { ...options, connectors: 'memory', warn }, ({ server }) =>
    generateReads(server.models, server.bootReport.served.paths)
  )
}

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 120))

/** A path as people write it; as it was sent where it is no encoded text. */
function readable(path: string): string {
  try {
    return visible(decodeURIComponent(path))
  } catch {
    return path
  }
}

function printOutcome({ request, differences }: Outcome, { out, style }: Terminal): void {
  out(style('bold', `${request.method} ${readable(request.path)}`))
  for (const { where, kind, old, new: now } of differences)
    out(`  ${kind} ${where}: ${style('red', show(old))} → ${style('green', show(now))}`)
}

/** `modelwire diff`: where the responses of two servers differ. */
export const defineDiff: DefineCommand = ({ command, terminal, finish }) => {
  command
    .description(
      'Sends the same requests to two servers and shows where their responses differ: in status, in headers that clients rely on, ' +
        'and in bodies, by place. Use --traffic to replay recorded client requests, or --app to read every model of an ' +
        'application without changing anything. Both servers should have the same data.'
    )
    .requiredOption('--old <url>', 'the reference server, such as LoopBack 3')
    .requiredOption('--new <url>', 'the server to compare')
    .option(
      '--traffic <file>',
      'requests: an HTTP archive (.har), or lines of JSON {"method", "path", "headers", "json"}'
    )
    .option('--app <dir>', 'generate safe reads from the models of this application folder')
    .option('--ignore <places...>', 'places in bodies to ignore, such as /*/updated or /**/token')
    .option('--ignore-ids', 'do not compare randomly generated ids and tokens')
    .option('--ignore-times', 'do not compare times')
    .option('--header <headers...>', 'send with every request, such as "Authorization: Bearer abc"')
    .option('--html <file>', 'write a report to open in a browser')
    .option('--json [file]', 'write a JSON report; to standard output if no file is given')
    .option('--show <number>', 'number of requests to print', '20')
    .option('--env <name>', 'with --app: environment whose configuration files are used')
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire diff --old http://localhost:3000 --new http://localhost:3001 --app . --html diff.html' +
        '\n  $ modelwire diff --old http://lb:3000 --new http://mw:3000 --traffic recorded.har --ignore-ids --ignore-times'
    )
    .action(async (options: DiffOptions) => finish(await run(options, terminal)))
}

async function run(options: DiffOptions, terminal: Terminal): Promise<number> {
  const { traffic, app, ignore = [], ignoreIds = false, ignoreTimes = false } = options
  if (traffic === undefined && app === undefined)
    throw new CommandError('USAGE', 'choose what to send: --traffic <file>, or --app <dir> for generated reads')
  const task = {
    old: urlOf(options.old, '--old'),
    new: urlOf(options.new, '--new'),
    rules: ignoreRules({ paths: ignore, ids: ignoreIds, times: ignoreTimes }),
    headers: headersOf(options.header ?? [])
  }
  const recorded = traffic === undefined ? [] : await readTraffic(traffic)
  const reads = app === undefined ? undefined : await readsOf(app, options, terminal)
  const total = reads === undefined ? `/${recorded.length}` : ''
  const onProgress = (done: number, differing: number): void =>
    terminal.progress(`${done}${total} requests, ${differing} answered differently`)
  const outcomes = await runDiff({ ...task, onProgress }, recorded)
  if (reads !== undefined) outcomes.push(...(await runDiff({ ...task, onProgress }, reads.requests, reads.onAnswer)))
  terminal.progress('')
  await report({ outcomes, places: reads?.places ?? [] }, options, terminal)
  return outcomes.some(({ differences }) => differences.length > 0) ? failed : succeeded
}

async function report(
  { outcomes, places }: { outcomes: readonly Outcome[]; places: readonly ModelPlace[] },
  options: DiffOptions,
  terminal: Terminal
): Promise<void> {
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  const facts = { old: options.old, new: options.new, requests: outcomes.length, differing }
  if (options.html !== undefined) await writeFile(options.html, htmlReport({ ...facts, outcomes, places }))
  if (typeof options.json === 'string') await writeFile(options.json, JSON.stringify(facts, null, 2))
  if (options.json === true) {
    terminal.out(JSON.stringify(facts, null, 2))
    return
  }
  const shown = Number(options.show)
  for (const outcome of differing.slice(0, shown)) printOutcome(outcome, terminal)
  if (differing.length > shown) terminal.out(`… and ${differing.length - shown} more; --show or --html shows them`)
  terminal.out(`${outcomes.length} requests, ${differing.length} answered differently`)
}
