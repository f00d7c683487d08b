import type { ModelType } from '@modelwire/core/plugin'
import { accountSettings } from './accounts/account-settings.ts'
import type { UsersSettings } from './options.ts'

/** Options that bring back what LoopBack leaves open, with what that is. */
const relaxations: readonly (readonly [(options: UsersSettings) => boolean, string])[] = [
  [({ revealAccounts }) => revealAccounts, 'revealAccounts: a reset tells which addresses have an account'],
  [({ confirmRedirects }) => confirmRedirects === true, 'confirmRedirects: links of confirm can lead to any server'],
  [({ protectAccounts }) => !protectAccounts, 'protectAccounts: clients can call their own address verified'],
  [({ resetTokenOnce }) => !resetTokenOnce, 'resetTokenOnce: the token of a reset works until it expires'],
  [({ tokens }) => tokens.cookieOrigins === true, 'tokens.cookieOrigins: pages of any site act by a token in a cookie'],
  [({ rateLimit }) => rateLimit === false, 'rateLimit: nothing limits how often passwords can be tried']
]

/** Warns once at the start which protections are off. */
export function warnAboutWeakenedOptions(options: UsersSettings, warn: (message: string) => void): void {
  for (const [isOff, what] of relaxations) if (isOff(options)) warn(`users: ${what}`)
}

/**
 * Warns once at the start for which of these user models a session alone sets a new password, with the settings that
 * close it.
 */
export function warnAboutOpenPasswords(models: readonly ModelType[], warn: (message: string) => void): void {
  const served = models.filter(({ definition, collection }) => definition.public !== false && collection !== undefined)
  for (const model of served) {
    const { restrictResetPasswordTokenScope: isRestricted, rejectPasswordChangesViaPatchOrReplace: rejected } =
      accountSettings(model)
    const open = [
      ...(isRestricted ? [] : ['restrictResetPasswordTokenScope']),
      ...(rejected === 'nobody' ? ['rejectPasswordChangesViaPatchOrReplace'] : [])
    ]
    if (open.length > 0)
      warn(
        `users: a session of ${model.name} sets a new password without the old one: set ${open.join(' and ')} to true`
      )
  }
}
