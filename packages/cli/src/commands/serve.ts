import { createServer, formatReport, listenOptions, type ServerOptions } from '@modelwire/boot'
import type { FastifyInstance } from 'fastify'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, bootOptions, folderOf } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import { watchFolder } from '../watch-folder.ts'
import { type AddCommand, appCommand } from './command.ts'

interface ServeOptions extends AppOptions {
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly logLevel: string
}

/** For people a line per entry, for machines pino's JSON. */
function loggerOf({ isInteractive }: Terminal, level: string): ServerOptions['logger'] {
  if (!isInteractive) return { level }
  return { level, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
}

function portOf({ port }: ServeOptions): number | undefined {
  if (port === undefined) return undefined
  const number = Number(port)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new CommandError('USAGE', `--port is a number from 0 to 65535, not ${port}`)
}

/** Resolves when somebody asks the process to end. A second signal ends it at once. */
const untilStopped = async (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
  })

async function start(dir: string, options: ServeOptions, terminal: Terminal): Promise<FastifyInstance> {
  const port = portOf(options)
  const { isInteractive } = terminal
  // The report of the start is printed below, readably, where somebody reads along.
  const level = isInteractive && options.logLevel === 'info' ? 'warn' : options.logLevel
  const server = await createServer({
    ...bootOptions(await folderOf(dir), options),
    logger: loggerOf(terminal, level)
  })
  if (isInteractive) terminal.out(formatReport(server.bootReport))
  try {
    const wanted = listenOptions(server)
    const url = await server.listen({ host: options.host ?? wanted.host, port: port ?? wanted.port })
    if (isInteractive) terminal.out(terminal.style('green', `Listening on ${url}`))
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** `modelwire serve <dir>`: runs an application. */
export const addServe: AddCommand = ({ program, terminal, finish }) => {
  appCommand(program, 'serve', 'run an application')
    .description(
      'Runs a LoopBack 3 application folder. SIGINT and SIGTERM let running requests end, then close data sources; a second ' +
        'signal ends the process at once. On a terminal the log is for people, elsewhere it is JSON, a line per entry.'
    )
    .option('-p, --port <number>', 'port to listen on (default: PORT, else that of config.json, else 3000)')
    .option('--host <address>', 'address to listen on (default: HOST, else that of config.json, else all)')
    .option('-w, --watch', 'start again whenever a file of the application changes')
    .option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent', 'info')
    .addHelpText('after', '\nExamples:\n  $ modelwire serve . --watch\n  $ PORT=8080 modelwire serve /srv/app')
    .action(async (dir: string, options: ServeOptions) => {
      if (options.watch === true) {
        portOf(options)
        await watchFolder(await folderOf(dir), terminal)
      } else {
        const server = await start(dir, options, terminal)
        await untilStopped()
        await server.close()
      }
      finish(succeeded)
    })
}
