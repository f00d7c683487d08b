import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** The parameters for defining a command. */
export interface CommandParts {
  /** The command with its name, its arguments and its summary. */
  readonly command: Command
  readonly terminal: Terminal
  /** Sets the exit code: see `exit-codes.ts`. */
  readonly finish: (code: number) => void
}

/** Gives a command its description, its options and its action. */
export type DefineCommand = (parts: CommandParts) => void

/** Adds the options of all commands that read an application. */
export function appOptions(command: Command): Command {
  return command
    .option('--env <name>', 'environment whose configuration files are used (default: NODE_ENV, else development)')
    .option('--loopback <version>', 'major version of LoopBack that the application was written for: 2 or 3', '3')
}
