import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ServerOptions } from '@modelwire/boot'
import { Option } from 'commander'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import {
  addBehindOptions,
  behindServerOptions,
  type BehindFlags,
  type BehindOptions,
  readBehindOptions
} from '../behind/behind-options.ts'
import { listen, type Listening, tokenOf } from '../behind/listen.ts'
import { CommandError } from '../errors.ts'
import { failed, succeeded } from '../exit-codes.ts'
import { folderOf, type AppOptions, bootOptions } from '../load-app.ts'
import { type BuildServer, findBuildServer, startProject } from '../load-project.ts'
import { readProcesses, runProcesses, isPrimary } from '../processes/run-processes.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../processes/until-stopped.ts'
import { type DefineCommand, appOptions } from './command.ts'

interface ServeOptions extends AppOptions, BehindFlags {
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly processes?: string
  readonly logLevel: string
}

/** For people a line per entry where pino-pretty is installed, for machines pino's JSON. */
function loggerOf(folder: string, { isInteractive, err }: Terminal, level: string): ServerOptions['logger'] {
  if (!isInteractive) return { level }
  const target = findPretty([folder, import.meta.dirname])
  if (target !== undefined)
    return { level, transport: { target, options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
  if (isPrimary()) err('modelwire: npm install pino-pretty for a readable log')
  return { level }
}

function findPretty(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve('pino-pretty')
    } catch {
      // Not there: the next folder may have it.
    }
  }
  return undefined
}

function portOf({ port }: ServeOptions): number | undefined {
  if (port === undefined) return undefined
  const number = Number(port)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new CommandError('USAGE', `--port must be an integer from 0 to 65535, not ${port}`)
}

/** Milliseconds that data sources have to close in after the last call has ended. */
const closingTime = 10_000

/**
 * Ends the server. Its calls have their own limit; a data source that never closes must not keep the process.
 * @throws {CommandError} the data sources did not close in time
 */
async function stop({ server, behind }: Served): Promise<void> {
  behind?.endSockets()
  const late = new Promise<never>((_resolve, reject) => {
    server.server.once('close', () => {
      const why = `the data sources did not close within ${closingTime / 1000} seconds`
      setTimeout(() => reject(new CommandError('CLOSE_TIMEOUT', why, failed)), closingTime).unref()
    })
  })
  try {
    await Promise.race([server.close(), late])
  } finally {
    await behind?.close()
  }
}

/** A server that listens. */
interface Served extends Listening {
  readonly server: FastifyInstance
}

/** PORT and HOST count without flags on the command line. */
async function listenProject(
  build: BuildServer,
  behind: BehindOptions | undefined,
  options: ServeOptions & { readonly folder: string },
  terminal: Terminal
): Promise<Served> {
  const port = portOf(options) ?? Number(terminal.env['PORT'] ?? 3000)
  // The options of a server take these loggers.
  const logger = loggerOf(options.folder, terminal, options.logLevel) as FastifyServerOptions['logger'] & object
  const server = await startProject(build, { logger })
  try {
    const host = options.host ?? terminal.env['HOST'] ?? '127.0.0.1'
    const listening = await listen(server, { options: behind, host, port, terminal })
    if (terminal.isInteractive && isPrimary()) printAddresses(server, listening.url, terminal)
    return { server, ...listening }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Addresses to open: those of APIs and of the page. */
function printAddresses(server: FastifyInstance, url: string, { out, style }: Terminal): void {
  for (const { prefix } of server.models.mounts) out(style('green', `API at ${url}${prefix}`))
  if (server.hasRoute({ method: 'GET', url: '/explorer/' })) out(style('green', `Explorer at ${url}/explorer/`))
}

/** How many servers of the process listen: scripts may have made some, which pass requests on to the application. */
const serversOfProcess = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length

/** How many of them have nothing but health and metrics. */
const opsServers = (server: FastifyInstance): number =>
  server.hasDecorator('opsAddresses') ? server.getDecorator<readonly unknown[]>('opsAddresses').length : 0

async function start(dir: string, options: ServeOptions, terminal: Terminal): Promise<Served> {
  const folder = await folderOf(dir)
  const behind = readBehindOptions(folder, options)
  if (behind !== undefined) tokenOf(terminal.env)
  const build = await findBuildServer(folder)
  if (build !== undefined) return await listenProject(build, behind, { ...options, folder }, terminal)
  const port = portOf(options)
  // Scripts that make servers of their own read it there.
  if (port !== undefined) process.env['PORT'] = String(port)
  const { isInteractive } = terminal
  const before = serversOfProcess()
  // On a terminal the report of the start is printed below, readably.
  const level = isInteractive && options.logLevel === 'info' ? 'warn' : options.logLevel
  const { createServer, formatReport } = await import('@modelwire/boot')
  const server = await createServer({
    ...bootOptions(folder, options),
    ...behindServerOptions(options),
    asMain: true,
    requireConnectors: true,
    logger: loggerOf(folder, terminal, level)
  })
  const printReport = (): void => {
    if (isInteractive && isPrimary()) terminal.out(formatReport(server.bootReport))
  }
  const listensAlready = server.loopback.wantedAddress === undefined && serversOfProcess() > before + opsServers(server)
  if (!listensAlready) return await listenFolder(server, behind, { ...options, printReport }, terminal)
  printReport()
  return await keepOwnServer(server, options, terminal)
}

/** @throws {CommandError} USAGE: an old server is to be behind an application that listens by itself */
async function keepOwnServer(server: FastifyInstance, { behind }: ServeOptions, { out }: Terminal): Promise<Served> {
  if (behind === undefined) {
    out('The application listens on its own server')
    return { server, url: String(server.loopback.get('url') ?? ''), behind: undefined }
  }
  await server.close()
  throw new CommandError(
    'USAGE',
    '--behind requires an application that listens with app.listen, not on its own server'
  )
}

async function listenFolder(
  server: FastifyInstance,
  behind: BehindOptions | undefined,
  options: ServeOptions & { readonly printReport: () => void },
  terminal: Terminal
): Promise<Served> {
  const { listenOptions } = await import('@modelwire/boot')
  try {
    const wanted = listenOptions(server)
    const [host, port] = [options.host ?? wanted.host, portOf(options) ?? wanted.port]
    const listening = await listen(server, { options: behind, host, port, terminal })
    // Once it listens: what keeps it from that is not hidden below the report.
    options.printReport()
    if (terminal.isInteractive && isPrimary()) {
      terminal.out(terminal.style('green', `Listening on ${listening.url}`))
      printAddresses(server, listening.url, terminal)
    }
    return { server, ...listening }
  } catch (error) {
    await server.close()
    throw error
  }
}

/**
 * Checks the command line before processes are started: what one of them says, all of them would.
 * @throws {CommandError} USAGE: `--processes` is malformed, or stands beside what one process alone can do
 */
function processesOf(dir: string, options: ServeOptions): number | undefined {
  const { processes, watch } = options
  if (processes === undefined) return undefined
  const count = readProcesses(processes)
  const other = watch === true ? '--watch' : readBehindOptions(dir, options) && '--behind'
  if (other !== undefined) throw new CommandError('USAGE', `--processes and ${other} cannot be combined`)
  portOf(options)
  return count
}

/** `modelwire serve <dir>`: runs an application. */
export const defineServe: DefineCommand = ({ command, terminal, finish }) => {
  addBehindOptions(appOptions(command))
    .description(
      'Runs a LoopBack 3 application folder, or a project whose package.json names its server. On SIGINT and SIGTERM, running ' +
        'requests have 8 seconds to finish, or `serverTimeouts.shutdown` of a folder; then data sources are closed. A second signal ' +
        'ends the process at once. On a terminal the log is readable text, elsewhere one line of JSON per entry.'
    )
    .option('-p, --port <number>', 'port to listen on (default: PORT, else that of config.json, else 3000)')
    .option('--host <address>', 'address to listen on (default: HOST, else that of config.json, else all)')
    .option('-w, --watch', 'restart whenever code or JSON of the application changes')
    .option('--processes <number>', 'number of processes that share the port; auto: one per core')
    .addOption(
      new Option('--log-level <level>', 'log level')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('info')
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire serve . --watch\n  $ PORT=8080 modelwire serve /srv/app\n  $ modelwire serve . --behind http://localhost:3001'
    )
    .action(async (dir: string, options: ServeOptions) => {
      const processes = processesOf(dir, options)
      if (processes !== undefined) {
        await folderOf(dir)
        await runProcesses(processes, terminal)
      } else if (options.watch === true) {
        portOf(options)
        readBehindOptions(dir, options)
        const { watchFolder } = await import('../processes/watch-folder.ts')
        await watchFolder(await folderOf(dir), terminal)
      } else {
        const served = await start(dir, options, terminal)
        await untilStopped()
        await stop(served)
      }
      finish(succeeded)
    })
}
