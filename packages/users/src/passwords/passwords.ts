import { hash, verify } from '@node-rs/bcrypt'
import { limitParallel } from './limit-parallel.ts'

/** Hashes passwords away from the main thread. */
export interface Passwords {
  /** The hash of a password in LoopBack's form, of this cost. */
  readonly hash: (password: string, cost: number) => Promise<string>
  /**
   * Whether a password is the one behind a hash. Without a hash the same work is done and the answer is no, so that nobody
   * can measure whether there is an account.
   */
  readonly matches: (password: unknown, hashed: string | undefined, cost: number) => Promise<boolean>
}

/**
 * Makes a hasher.
 * @param parallel how many passwords are worked on at once; others wait, so that logins cannot take all threads
 */
export function makePasswords(parallel: number): Passwords {
  const run = limitParallel(parallel)
  const unmatched = new Map<number, Promise<string>>()
  const hashOf = (password: string, cost: number): Promise<string> => run(() => hash(password, { cost, version: '2a' }))
  const nobodys = (cost: number): Promise<string> => {
    const made = unmatched.get(cost) ?? hashOf(crypto.randomUUID(), cost)
    unmatched.set(cost, made)
    return made
  }
  return {
    hash: hashOf,
    matches: async (password, hashed, cost) => {
      const given = typeof password === 'string' ? password : ''
      const against = hashed ?? (await nobodys(cost))
      const isSame = await run(() => verify(given, against))
      return isSame && hashed !== undefined && given !== ''
    }
  }
}
