import { CommandError } from '../errors.ts'

/**
 * Checks which options are given. `apart`: the first of each list comes without the others. `belonging`: the key comes with
 * its value only.
 * @throws {CommandError} USAGE: some do not go together
 */
export function checkTogether(
  given: Readonly<Record<string, unknown>>,
  apart: readonly (readonly string[])[],
  belonging: Readonly<Record<string, string>>
): void {
  for (const [first = '', ...others] of apart) {
    const other = others.find((name) => given[name] !== undefined)
    if (given[first] !== undefined && other !== undefined)
      throw new CommandError('USAGE', `${flag(first)} and ${flag(other)} do not go together`)
  }
  for (const [option, owner] of Object.entries(belonging))
    if (given[option] !== undefined && given[owner] === undefined)
      throw new CommandError('USAGE', `${flag(option)} goes with ${flag(owner)}`)
}

const flag = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
