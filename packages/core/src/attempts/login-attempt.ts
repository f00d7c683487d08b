import type { Attempt } from './attempt-limiter.ts'

/** What the limiter needs of a login. */
export interface LoginFacts {
  /** Name of the user model. */
  readonly model: string
  /** The name or address of the account as it was written: who tries must not learn which names belong to one account. */
  readonly name: string
  readonly realm?: string | undefined
  readonly address: string
}

/** An attempt to log in, through whatever it comes: names that differ in case alone count together. */
export function loginAttempt({ model, name, realm = '', address }: LoginFacts): Attempt {
  return { kind: `login ${model}`, account: `${realm}:${name.toLowerCase()}`, address, countsAtOnce: true }
}
