import { askControl } from '../behind/control/ask-control.ts'
import { type ControlAccess, readControlFile } from '../behind/control/control-file.ts'
import type { HandoverAnswer } from '../behind/control/control-server.ts'
import { controlFileOf } from '../behind/behind-options.ts'
import type { RouteReport, StateReport } from '../behind/evidence/describe-evidence.ts'
import { tokenOf, tokenVariable } from '../behind/listen.ts'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { folderOf } from '../folder-of.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'
import type { DefineCommand } from './command.ts'

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
  if (token === undefined) throw new CommandError('USAGE', `--url needs the token of that server in ${tokenVariable}`)
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
  if (changed.length < routes.length) out(`${routes.length - changed.length} of ${routes.length} were so already`)
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
    if (back) throw new CommandError('USAGE', 'say what to hand back: routes, or --all')
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
      'Asks the server that runs in this folder with serve --behind: shows who answers which route and how many answers were ' +
        'compared, or hands routes over to Modelwire, or back. A route is the name of a method, such as Product.find; an endpoint, such ' +
        'as "GET /api/Products"; a pattern, such as "Product.*"; or other, for all requests that no method answers.'
    )
    .option('--all', 'every method; other has to be named')
    .option('--back', 'hand back to the old server')
    .option('--url <url>', `the control page of a server elsewhere; its token is taken from ${tokenVariable}`)
    .option('--json', 'JSON instead of text')
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire handover .\n  $ modelwire handover . Product.find "Order.*"\n  $ modelwire handover . --all --back'
    )
    .action(async (dir: string, routes: readonly string[], options: HandoverOptions) => {
      await run(dir, routes, options, terminal)
      finish(succeeded)
    })
}
