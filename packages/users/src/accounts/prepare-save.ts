import { type HookContext, type Model, type ModelType } from '@modelwire/core'
import { PasswordChangeNotAllowed } from '../errors.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { kindOf } from '../passwords/hash-kinds.ts'
import type { AccountParts } from './account-parts.ts'
import { accountSettings, storedEmail } from './account-settings.ts'
import { sameId } from '@modelwire/acl'

type Row = Record<string, unknown>

/** The account that is about to be saved, or what is to change of one. */
export function savedPart({ data, instance }: HookContext): Row | undefined {
  return data ?? instance
}

/** What clients ask for, as opposed to code of the application, comes with this option. */
export const isClients = ({ options }: HookContext): boolean => options['prohibitHiddenPropertiesInQuery'] === true

/** The model whose observers run. */
export function modelOf({ Model: modelClass }: HookContext): ModelType {
  return (modelClass as typeof Model).modelType // core puts the class of a model there
}

/** The id of the account, where a save is about one. */
export function accountId(context: HookContext): unknown {
  const name = modelOf(context).idProperty?.name ?? 'id'
  const { instance, currentInstance, where } = context
  return (instance ?? currentInstance ?? where)?.[name]
}

/** Somebody changes their own account, who may not say of it what others have to find out. */
function isSelf(context: HookContext): boolean {
  const token = context.options['accessToken']
  const userId: unknown = typeof token === 'object' && token !== null && 'userId' in token ? token.userId : undefined
  return context.isNewInstance === true || sameId(userId, accountId(context))
}

/**
 * Keeps clients from what is not theirs to say: that an address is verified, the token that proves it, another realm.
 * On creation `emailVerified` becomes false, as in LoopBack; later the stored values stay.
 */
export function protectAccount(context: HookContext, stored: Row | undefined): void {
  const part = savedPart(context)
  if (part === undefined || !isClients(context) || !isSelf(context)) return
  if (context.isNewInstance === true) {
    if (part['emailVerified']) part['emailVerified'] = false
    delete part['verificationToken']
    return
  }
  for (const name of ['emailVerified', 'verificationToken', 'realm']) {
    if (part[name] === undefined) continue
    if (context.data === undefined) part[name] = stored?.[name]
    else delete part[name]
  }
}

/** Refuses to change a password in passing, where the model wants that. @throws {PasswordChangeNotAllowed} */
export function checkPasswordChange(context: HookContext): void {
  const part = savedPart(context)
  if (context.isNewInstance === true || part === undefined || !Object.hasOwn(part, 'password')) return
  if (!accountSettings(modelOf(context)).rejectPasswordChangesViaPatchOrReplace) return
  if (context.options['setPassword'] === true) return
  throw new PasswordChangeNotAllowed('passwords are changed by changePassword and setPassword')
}

/** Addresses are stored in lower case where the model says so. */
export function normalizeEmail(context: HookContext): void {
  const part = savedPart(context)
  const email = part?.['email']
  if (part !== undefined && typeof email === 'string')
    part['email'] = storedEmail(email, accountSettings(modelOf(context)))
}

/**
 * Puts a hash in place of a password. What is no text is no password, and is left out. A hash of the application's own code
 * is stored as it is; one that a client sends is a password like others.
 * @throws {InvalidPassword} the password is empty
 * @throws {PasswordTooLong} it has more than 72 bytes
 */
export async function hashPassword(context: HookContext, { passwords, options }: AccountParts): Promise<void> {
  const part = savedPart(context)
  if (part === undefined || !Object.hasOwn(part, 'password')) return
  const { password } = part
  if (typeof password !== 'string') {
    delete part['password']
    return
  }
  const { protectAccounts = true } = options
  const kind = kindOf(password)
  // LoopBack takes hashes of bcrypt from everybody, and knows no others.
  if (kind !== undefined && (!isClients(context) || (!protectAccounts && kind === 'bcrypt'))) return
  checkPassword(password)
  part['password'] = await passwords.hash(password, accountSettings(modelOf(context)).saltWorkFactor)
}
