import type { Attempt } from './attempt-limiter.ts'

/** What the limiter needs of a login. */
export interface LoginFacts {
  /** Name of the user model. */
  readonly model: string
  /** The name or address of the account, as it is looked for: who tries must not learn which names belong to one account. */
  readonly name: string
  /** The property that holds it. */
  readonly property: 'email' | 'username'
  readonly realm?: string | undefined
  readonly address: string
}

/**
 * A name without what databases may leave out of account when they compare texts: case, accents, spaces, and characters that do not
 * show. An account that they find by many names is attempted by one.
 */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase()

/**
 * An attempt to log in, through whatever it comes. Failures at names that are alike count together; a success is of one name, since
 * another account may have one that is alike, or have it in the other property.
 */
export function loginAttempt({ model, name, property, realm = '', address }: LoginFacts): Attempt {
  return {
    kind: `login ${model}`,
    account: plainName(`${realm}:${name}`),
    name: JSON.stringify([property, realm, name]),
    address,
    countsAtOnce: true
  }
}
