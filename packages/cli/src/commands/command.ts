import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** What a command needs to be added to the program. */
export interface Adding {
  readonly program: Command
  readonly terminal: Terminal
  /** Sets the exit code: see `exit-codes.ts`. */
  readonly finish: (code: number) => void
}

/** Adds one command to the program. */
export type AddCommand = (adding: Adding) => void

/**
 * A command with the options of all those that read an application.
 * @param folder how the argument with its folder is written
 */
export function appCommand(program: Command, name: string, summary: string, folder = '<dir>'): Command {
  return program
    .command(`${name} ${folder}`)
    .summary(summary)
    .option('--env <name>', 'whose configuration files count (default: NODE_ENV, else development)')
    .option('--loopback <version>', 'major version of LoopBack that the application was written for: 2 or 3', '3')
}
