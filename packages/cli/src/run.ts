import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { CommandParts, DefineCommand } from './commands/command.ts'
import { CommandError } from './errors.ts'
import { failed, misused, succeeded } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** A command as listed in the help. `load` imports its implementation on demand. */
interface CommandEntry {
  /** Its name and its arguments. */
  readonly usage: string
  readonly summary: string
  readonly load: () => Promise<DefineCommand>
}

const commands: readonly CommandEntry[] = [
  {
    usage: 'init <dir>',
    summary: 'create a new project that runs and passes its own test',
    load: async () => (await import('./commands/init.ts')).defineInit
  },
  {
    usage: 'check <dir>',
    summary: 'show what runs, what differs and what does not run in an application',
    load: async () => (await import('./commands/of-applications.ts')).defineCheck
  },
  {
    usage: 'serve <dir>',
    summary: 'run an application',
    load: async () => (await import('./commands/serve.ts')).defineServe
  },
  {
    usage: 'routes <dir>',
    summary: 'list every route of an application',
    load: async () => (await import('./commands/of-applications.ts')).defineRoutes
  },
  {
    usage: 'access <dir>',
    summary: 'show who may call what, and by which rule',
    load: async () => (await import('./commands/of-applications.ts')).defineAccess
  },
  {
    usage: 'openapi <dir>',
    summary: 'write the OpenAPI 3.1 document of the API',
    load: async () => (await import('./commands/of-applications.ts')).defineOpenapi
  },
  {
    usage: 'types <dir>',
    summary: 'write TypeScript types of the models',
    load: async () => (await import('./commands/of-applications.ts')).defineTypes
  },
  {
    usage: 'migrate <dir>',
    summary: 'create the tables of the models, after showing the plan',
    load: async () => (await import('./commands/migrate.ts')).defineMigrate
  },
  {
    usage: 'seed [dir]',
    summary: 'store records from files, each record once',
    load: async () => (await import('./commands/of-applications.ts')).defineSeed
  },
  {
    usage: 'discover <dir>',
    summary: 'generate models from the tables of a database',
    load: async () => (await import('./commands/of-applications.ts')).defineDiscover
  },
  {
    usage: 'diff',
    summary: 'show where the responses of two servers differ',
    load: async () => (await import('./commands/diff.ts')).defineDiff
  },
  {
    usage: 'handover <dir> [routes...]',
    summary: 'hand routes over from an old server, and back',
    load: async () => (await import('./commands/of-applications.ts')).defineHandover
  }
]

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL(import.meta.resolve('modelwire/package.json')), 'utf8'))
  return (manifest as { version: string }).version // a manifest has one
}

function makeProgram(terminal: Terminal): Command {
  return new Command('modelwire')
    .description('Serves, checks and migrates model-based applications, written for LoopBack 3 or for Modelwire.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand('help [command]', 'show help for a command')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      // As the errors of the commands look.
      outputError: (text, write) => write(`${terminal.style('red', 'modelwire:')} ${text.replace(/^error: /, '')}`)
    })
    .showHelpAfterError('  use --help to list commands and options\n  (USAGE)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 something was found or failed, 2 invalid command line.\n' +
        'Start with:\n  $ modelwire init my-api              # a new project\n  $ modelwire check ./my-loopback-app  # what runs of a LoopBack 3 application\n  $ modelwire serve ./my-loopback-app'
    )
}

interface Placed extends Error {
  readonly code?: unknown
  readonly where?: { readonly file?: string; readonly model?: string; readonly key?: string }
}

/** What went wrong in lines for people: the message, and where in the application it is. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Modelwire's errors have a code, and a place in the application.
  const { code, where = {} } = error as Placed
  const place = [where.file, where.model, where.key].filter((part) => part !== undefined && part !== '').join(', ')
  const isNew = error.cause instanceof Error && !error.message.includes(error.cause.message)
  const cause = isNew && error.cause instanceof Error ? `\n  because: ${error.cause.message}` : ''
  return `${error.message}${place === '' ? '' : `\n  in ${place}`}${cause}${typeof code === 'string' ? `\n  (${code})` : ''}`
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  // Commander has printed what it found wrong, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? succeeded : misused
  terminal.err(`${terminal.style('red', 'modelwire:')} ${describeError(error)}`)
  if (terminal.env['DEBUG'] !== undefined && error instanceof Error) terminal.err(error.stack ?? '')
  return error instanceof CommandError ? error.exitCode : failed
}

/** The name of the command that is run or explained; undefined where the arguments begin with none. */
function calledCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  return first === 'help' ? second : first
}

/** Adds all commands to the program: the called one as a whole, of the others what the help lists. */
async function addCommands(
  program: Command,
  called: string | undefined,
  parts: Omit<CommandParts, 'command'>
): Promise<void> {
  for (const { usage, summary, load } of commands) {
    const command = program.command(usage).summary(summary)
    if (command.name() !== called) continue
    const define = await load()
    define({ command, ...parts })
  }
}

/**
 * Runs the command with these arguments and returns its exit code: 0 success, 1 something was found or failed, 2 invalid
 * command line. Errors are printed, never thrown.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = makeProgram(terminal)
  let code: number = succeeded
  const finish = (exitCode: number): void => {
    code = exitCode
  }
  try {
    await addCommands(program, calledCommand(args), { terminal, finish })
    if (args.length === 0) program.help()
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    return exitCodeOf(error, terminal)
  }
}
