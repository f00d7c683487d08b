import { type ControlAccess, readControlFile } from '../behind/control/control-file.ts'
import type { HandoverAnswer } from '../behind/control/control-server.ts'
import { controlFileOf } from '../behind/behind-options.ts'
import type { RouteReport, StateReport } from '../behind/routes/describe-evidence.ts'
import { tokenOf, tokenVariable } from '../behind/listen.ts'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { folderOf } from '../load-app.ts'
import { type Terminal, writeTable } from '../terminal.ts'
import type { DefineCommand } from './command.ts'
import { isPlainObject } from '@modelwire/server'

/** How long a control API may take. */
const requestTimeoutMs = 30_000

interface ControlAnswer {
  readonly status: number
  readonly answer: unknown
}

interface HandoverOptions {
  readonly all?: boolean
  readonly back?: boolean
  readonly url?: string
  readonly json?: boolean
}

/** Where the control API is: by the command line, else by the file of the running server in its folder. */
async function accessOf(dir: string, { url }: HandoverOptions, env: Terminal['env']): Promise<ControlAccess> {
  const token = tokenOf(env)
  if (url === undefined) {
    const written = await readControlFile(controlFileOf(await folderOf(dir)))
    return token === undefined ? written : { ...written, token }
  }
  if (token === undefined)
    throw new CommandError('USAGE', `--url requires the token of that server in ${tokenVariable}`)
  if (!URL.canParse(url)) throw new CommandError('USAGE', `--url must be the URL of a control page, not ${url}`)
  return { url, token }
}

const sum = (counts: object): number => Object.values(counts).reduce<number>((total, count) => total + Number(count), 0)

function rowOf({ name, owner, answered, reads, equal, different, notCompared, cause }: RouteReport): string[] {
  const seen = reads ? [String(equal), String(different), String(sum(notCompared))] : ['', '', '']
  return [name, owner, cause, String(sum(answered)), ...seen]
}

function printState({ old, routes }: StateReport, { out, style }: Terminal): void {
  const heads = ['ROUTE', 'OWNER', 'BY', 'REQUESTS', 'EQUAL', 'DIFFERENT', 'NOT COMPARED']
  const [head = '', ...lines] = writeTable([heads, ...routes.map(rowOf)])
  out(style('bold', head))
  for (const line of lines) out(line)
  const over = routes.filter(({ owner }) => owner === 'new').length
  out(style('dim', `${over} of ${routes.length} routes are handed over; the others are answered by ${old}`))
}

function printHandover({ owner, changed, routes }: HandoverAnswer, { out }: Terminal): void {
  const done = owner === 'new' ? 'handed over' : 'handed back to the old server'
  for (const name of changed) out(`${name} ${done}`)
  if (changed.length < routes.length) out(`${routes.length - changed.length} of ${routes.length} already were`)
}

async function run(
  dir: string,
  routes: readonly string[],
  options: HandoverOptions,
  terminal: Terminal
): Promise<void> {
  const { all = false, back = false, json = false } = options
  const access = await accessOf(dir, options, terminal.env)
  if (!all && routes.length === 0) {
    if (back) throw new CommandError('USAGE', 'specify what to hand back: routes, or --all')
    // What the control API of this version answers.
    const state = (await askControl(access, '/state')) as StateReport
    if (json) terminal.out(JSON.stringify(state, null, 2))
    else printState(state, terminal)
    return
  }
  const body = { owner: back ? 'old' : 'new', routes, all }
  const answer = (await askControl(access, '/handover', body)) as HandoverAnswer // likewise
  if (json) terminal.out(JSON.stringify(answer, null, 2))
  else printHandover(answer, terminal)
}

/** `modelwire handover <dir> [routes...]`: which side answers which route. */
export const defineHandover: DefineCommand = ({ command, terminal, finish }) => {
  command
    .description(
      'Connects to the server that runs in this folder with serve --behind: shows which server answers each route and how many responses were ' +
        'compared, or hands routes over to Modelwire, or back. A route is the name of a method, such as Product.find; an endpoint, such ' +
        'as "GET /api/Products"; a pattern, such as "Product.*"; or other, for all requests that match no method.'
    )
    .option('--all', 'every method; other must be named explicitly')
    .option('--back', 'hand back to the old server')
    .option('--url <url>', `control page of a server elsewhere; its token is read from ${tokenVariable}`)
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire handover .\n  $ modelwire handover . Product.find "Order.*"\n  $ modelwire handover . --all --back'
    )
    .action(async (dir: string, routes: readonly string[], options: HandoverOptions) => {
      await run(dir, routes, options, terminal)
      finish(succeeded)
    })
}

async function send({ url, token }: ControlAccess, path: string, body: object | undefined): Promise<ControlAnswer> {
  try {
    const response = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    return { status: response.status, answer: await response.json() }
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'is not a control API of modelwire' : 'does not answer'
    throw new CommandError('NO_CONTROL', `${url} ${why}: is the server still running?`, 1, { cause })
  }
}

/**
 * Sends a request to a running control API.
 * @param body sent by POST where it is there
 * @throws {CommandError} NO_CONTROL: it does not answer, or something else does; else with the code of its error
 */
async function askControl(access: ControlAccess, path: string, body?: object): Promise<unknown> {
  const { status, answer } = await send(access, path, body)
  if (status < 300) return answer
  const error: unknown = isPlainObject(answer) ? answer['error'] : undefined
  const { code = 'NO_CONTROL', message = `${access.url} answers ${status}` } = isPlainObject(error) ? error : {}
  throw new CommandError(String(code), String(message), 1)
}
