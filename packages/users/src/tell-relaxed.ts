import type { UsersOptions } from './options.ts'

/** Options that bring back what LoopBack leaves open, with what that is. */
const relaxations: readonly (readonly [(options: UsersOptions) => boolean, string])[] = [
  [({ revealAccounts }) => revealAccounts === true, 'revealAccounts: a reset tells which addresses have an account'],
  [({ confirmRedirects }) => confirmRedirects === true, 'confirmRedirects: links of confirm can lead to any server'],
  [({ protectAccounts }) => protectAccounts === false, 'protectAccounts: clients can call their own address verified'],
  [({ resetTokenOnce }) => resetTokenOnce === false, 'resetTokenOnce: the token of a reset works until it expires'],
  [({ rateLimit }) => rateLimit === false, 'rateLimit: nothing limits how often passwords can be tried']
]

/** Says once at the start which protections are off. */
export function tellRelaxed(options: UsersOptions, warn: (message: string) => void): void {
  for (const [isOff, what] of relaxations) if (isOff(options)) warn(`users: ${what}`)
}
