import { CommandError } from '../errors.ts'

/** The step that a migration continues with. @throws {CommandError} USAGE: it is no number from 1 */
export function readResume(written: string | undefined): number | undefined {
  return written === undefined ? undefined : readCount('--resume', written)
}

/** How many migrations are reverted: 1 where no number is given. @throws {CommandError} USAGE: it is no number from 1 */
export function readDown(written: string | true): number {
  return written === true ? 1 : readCount('--down', written)
}

function readCount(option: string, written: string): number {
  const number = Number(written)
  if (Number.isInteger(number) && number >= 1) return number
  throw new CommandError('USAGE', `${option} is a whole number from 1, not ${written}`)
}
