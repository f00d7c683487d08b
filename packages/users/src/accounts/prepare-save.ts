import type { HookContext, Model } from '@modelwire/core'
import { repository } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { PasswordChangeNotAllowed } from '../errors.ts'
import { checkPassword, kindOf } from '../passwords/passwords.ts'
import type { AccountParts } from './account-parts.ts'
import { accountSettings, storedEmail } from './account-settings.ts'
import { sameId } from '@modelwire/acl'

type Row = Record<string, unknown>

/** The account that is about to be saved, or the changes to one. */
export function savedPart({ data, instance }: HookContext): Row | undefined {
  return data ?? instance
}

/** Calls of clients, unlike those of application code, carry this option. */
const isClients = ({ options }: HookContext): boolean => options['prohibitHiddenPropertiesInQuery'] === true

/** The model whose observers run. */
export function modelOf({ Model: modelClass }: HookContext): ModelType {
  return (modelClass as typeof Model).modelType // core puts the class of a model there
}

/** True where users change only their own account: they may not set what has to be verified. */
function isSelf(context: HookContext, stored: readonly Row[]): boolean {
  const model = modelOf(context)
  const token = context.options['accessToken']
  if (typeof token !== 'object' || token === null) return false
  const { userId, principalType } = token as Row // read key by key
  if (typeof principalType === 'string' && principalType !== model.name) return false
  return stored.every((row) => sameId(userId, repository.idOf(model, row)))
}

/**
 * On creation `emailVerified` has the model's default, else false as in LoopBack, and the realm is for the application
 * to choose.
 */
function protectNewAccount(context: HookContext, part: Row, protectAccounts: boolean): void {
  const { byName } = modelOf(context)
  if (part['emailVerified']) part['emailVerified'] = byName.get('emailVerified')?.makeDefault?.() ?? false
  delete part['verificationToken']
  if (protectAccounts && !accountSettings(modelOf(context)).clientsChooseRealm) delete part['realm']
}

/**
 * Keeps clients from setting what they may not: that an address is verified, the token that proves it, a realm. The values
 * of a stored account are kept.
 * @param stored the accounts that are changed; none where one is made
 */
export function protectAccount(context: HookContext, stored: readonly Row[], protectAccounts: boolean): void {
  const part = savedPart(context)
  if (part === undefined || !isClients(context)) return
  if (stored.length === 0) {
    protectNewAccount(context, part, protectAccounts)
    return
  }
  if (!isSelf(context, stored)) return
  for (const name of ['emailVerified', 'verificationToken', 'realm']) {
    if (part[name] === undefined) continue
    if (context.data === undefined) part[name] = stored[0]?.[name]
    else delete part[name]
  }
}

/**
 * Refuses a password change along with other properties, unless the model allows it.
 * @param stored the accounts that are changed; none where one is made
 * @throws {PasswordChangeNotAllowed}
 */
export function checkPasswordChange(context: HookContext, stored: readonly Row[]): void {
  const part = savedPart(context)
  if (context.isNewInstance === true || part === undefined || !Object.hasOwn(part, 'password')) return
  const { rejectPasswordChangesViaPatchOrReplace: rejected } = accountSettings(modelOf(context))
  if (rejected === 'nobody' || (rejected === 'clients' && (!isClients(context) || stored.length === 0))) return
  if (context.options['setPassword'] === true) return
  throw new PasswordChangeNotAllowed('use changePassword or setPassword to change a password')
}

/** Converts email addresses to lower case if the model requires it. */
export function normalizeEmail(context: HookContext): void {
  const part = savedPart(context)
  const email = part?.['email']
  if (part !== undefined && typeof email === 'string')
    part['email'] = storedEmail(email, accountSettings(modelOf(context)))
}

/**
 * Replaces a password by its hash. A value that is not a string is not a password, and is dropped. A hash set by
 * application code is stored unchanged; one sent by a client is treated like any other password.
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
  const { protectAccounts } = options
  const kind = kindOf(password)
  // LoopBack takes hashes of bcrypt from all callers, and knows no others.
  if (kind !== undefined && (!isClients(context) || (!protectAccounts && kind === 'bcrypt'))) return
  checkPassword(password)
  part['password'] = await passwords.hash(password, accountSettings(modelOf(context)).saltWorkFactor)
}
