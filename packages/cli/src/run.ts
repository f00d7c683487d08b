import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addAccess } from './commands/access.ts'
import { addCheck } from './commands/check.ts'
import type { AddCommand } from './commands/command.ts'
import { addDiff } from './commands/diff.ts'
import { addDiscover } from './commands/discover.ts'
import { addHandover } from './commands/handover.ts'
import { addInit } from './commands/init.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOpenapi } from './commands/openapi.ts'
import { addRoutes } from './commands/routes.ts'
import { addSeed } from './commands/seed.ts'
import { addServe } from './commands/serve.ts'
import { addTypes } from './commands/types.ts'
import { CommandError } from './errors.ts'
import { failed, misused, succeeded } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

const commands: readonly AddCommand[] = [
  addInit,
  addCheck,
  addServe,
  addRoutes,
  addAccess,
  addOpenapi,
  addTypes,
  addMigrate,
  addSeed,
  addDiscover,
  addDiff,
  addHandover
]

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL(import.meta.resolve('modelwire/package.json')), 'utf8'))
  return (manifest as { version: string }).version // a manifest has one
}

function makeProgram(terminal: Terminal): Command {
  return new Command('modelwire')
    .description('Serves, checks and migrates applications of models, written for LoopBack 3 or for Modelwire.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'explain a command')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      // As the errors of the commands look.
      outputError: (text, write) => write(`${terminal.style('red', 'modelwire:')} ${text.replace(/^error: /, '')}`)
    })
    .showHelpAfterError('  add --help to see what there is\n  (USAGE)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 all is well, 1 something was found or failed, 2 the command was not understood.\n' +
        'Start with:\n  $ modelwire init my-api              # a new project\n  $ modelwire check ./my-loopback-app  # what of an application of LoopBack 3 runs\n  $ modelwire serve ./my-loopback-app'
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

/**
 * Runs the command with these arguments and gives its exit code: 0 all is well, 1 something was found or failed, 2 the
 * command was not understood. Errors are printed, none is thrown.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = makeProgram(terminal)
  let code: number = succeeded
  const finish = (exitCode: number): void => {
    code = exitCode
  }
  for (const add of commands) add({ program, terminal, finish })
  try {
    if (args.length === 0) program.help()
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    return exitCodeOf(error, terminal)
  }
}
