import type { Model } from '@modelwire/core'
import { repository } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { EmailNotFound, EmailRequired, ResetFailedEmailNotVerified } from '../errors.ts'
import { checkPassword } from '../passwords/passwords.ts'
import type { ResetRequest } from '../options.ts'
import { type AccountParts, callOwn } from './account-parts.ts'
import { accountLookup, accountSettings, storedEmail } from './account-settings.ts'

type Options = Readonly<Record<string, unknown>> & { readonly email: string }

function readOptions(value: unknown): Options {
  const options = isPlainObject(value) ? value : {}
  const { email, password } = options
  if (typeof email !== 'string') throw new EmailRequired('email is required')
  if (password) checkPassword(password)
  return { ...options, email }
}

async function findAccount(model: ModelType, { email, realm }: Options): Promise<Model | null> {
  if (email === '') return null
  const byRealm = typeof realm === 'string' && realm !== '' ? { realm } : {}
  return repository.findOne(
    model,
    { where: { email: storedEmail(email, accountSettings(model)), ...byRealm } },
    accountLookup(model)
  )
}

async function makeResetToken(
  parts: AccountParts,
  model: ModelType,
  user: Model,
  options: Options
): Promise<ResetRequest> {
  const { resetPasswordTokenTTL: ttl, restrictResetPasswordTokenScope } = accountSettings(model)
  const args = restrictResetPasswordTokenScope ? [{ ttl, scopes: ['reset-password'] }, options] : [ttl]
  const accessToken = await callOwn(parts, user, 'createAccessToken', args)
  // createAccessToken gives a token, which is a record.
  // The address that is stored: what was sent may be another one that the database takes for the same.
  return { email: String(user['email']), accessToken: accessToken as Model, user, options }
}

function announce(parts: AccountParts, model: ModelType, request: ResetRequest): void {
  if (parts.announceReset(model, request)) return
  parts.warn(
    `a password reset was requested, but no listener sends the mail: listen to resetPasswordRequest of ${model.name}`
  )
}

/** Performs a reset for an account; nothing where there is none, unless the existence of accounts may be revealed. */
async function resetFor(parts: AccountParts, model: ModelType, options: Options): Promise<ResetRequest | undefined> {
  const { revealAccounts } = parts.options
  const user = await findAccount(model, options)
  if (user === null && revealAccounts) throw new EmailNotFound('no account has this email address')
  if (user === null) return undefined
  const mustWait = accountSettings(model).emailVerificationRequired && !user['emailVerified']
  // LB3: it reveals that there is an account; pinned by users/verification-required.
  if (mustWait && (revealAccounts || parts.registry.rules.revealsUnverified))
    throw new ResetFailedEmailNotVerified('the email address has not been verified')
  return mustWait ? undefined : makeResetToken(parts, model, user, options)
}

/**
 * Creates a token for setting a new password, and emits it to the application. Neither the response nor its timing reveals
 * whether an account exists.
 * @throws {EmailRequired} the address is absent or no text
 * @see LoopBack 3: loopback, common/models/user.js, resetPassword
 */
export async function resetPassword(parts: AccountParts, model: ModelType, value: unknown): Promise<void> {
  const options = readOptions(value)
  const { saltWorkFactor } = accountSettings(model)
  const [request] = await Promise.all([
    resetFor(parts, model, options),
    // Takes longer than finding an account and storing a token, whether there is one or not.
    parts.passwords.matches('', undefined, saltWorkFactor)
  ])
  // LB3: the listeners run before the answer.
  if (request !== undefined) announce(parts, model, request)
}
