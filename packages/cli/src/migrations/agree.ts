import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

/** Asks before something is changed, unless `yes` is set. @throws {CommandError} NOT_CONFIRMED: the answer was no, or there is no terminal */
export async function agree(
  question: string,
  { yes = false }: { readonly yes?: boolean },
  terminal: Terminal
): Promise<void> {
  if (yes) return
  if (!terminal.isInteractive)
    throw new CommandError(
      'NOT_CONFIRMED',
      'this is not a terminal, so the plan cannot be confirmed: add --yes to run it'
    )
  if (!(await terminal.confirm(question))) throw new CommandError('NOT_CONFIRMED', 'nothing was changed', 1)
}

/** A number with its noun: `1 step`, `2 steps`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
