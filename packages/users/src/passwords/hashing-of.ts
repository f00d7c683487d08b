import type { UsersSettings } from '../options.ts'
import type { Hashing } from './passwords.ts'

/** Passwords that are worked on at once: always one core is left to everything else, where there are several. */
export function boundParallel(wanted: number | undefined, cores: number): number {
  const most = Math.max(1, cores - 1)
  return Math.min(wanted ?? most, most)
}

/**
 * How passwords are hashed, by the options.
 * @param cores of this machine
 * @param warn called where the number of parallel hashes is too high for it
 */
export function hashingOf(
  options: Pick<UsersSettings, 'passwordHash' | 'argon2' | 'parallelHashes'>,
  cores: number,
  warn: (message: string) => void
): Omit<Hashing, 'cutsOff'> {
  const { passwordHash, argon2, parallelHashes } = options
  const parallel = boundParallel(parallelHashes, cores)
  if (parallelHashes !== undefined && parallel < parallelHashes)
    warn(`users: parallelHashes is ${parallel}, not ${parallelHashes}: this machine has ${cores} cores`)
  return { kind: passwordHash, argon2, parallel }
}
