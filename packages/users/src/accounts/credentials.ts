import { isPlainObject } from '@modelwire/server'
import { InvalidEmail, InvalidRealm, InvalidUsername, RealmRequired, UsernameOrEmailRequired } from '../errors.ts'
import { type AccountSettings, storedEmail } from './account-settings.ts'

/** What an account is looked up by: only strings, so that no condition comes from outside. */
export type AccountQuery = Readonly<Record<string, string>>

/** Splits `realm:name`, if a delimiter is set. */
export function splitRealm<Name>(name: Name, delimiter: string | undefined): { realm?: string; name: Name | string } {
  if (typeof name !== 'string' || delimiter === undefined) return { name }
  const at = name.indexOf(delimiter)
  if (at === -1) return { name }
  const realm = name.slice(0, at)
  return { name: name.slice(at + delimiter.length), ...(realm === '' ? {} : { realm }) }
}

function checkRealm(realm: unknown): string {
  if (!realm) throw new RealmRequired('realm is required')
  if (typeof realm !== 'string') throw new InvalidRealm('the realm must be a string')
  return realm
}

/**
 * The query of a login.
 * @throws {UsernameOrEmailRequired} it names no account
 * @throws {InvalidEmail} the address is not a string; likewise {@link InvalidUsername} and {@link InvalidRealm}
 * @throws {RealmRequired} the user model needs a realm
 * @see LoopBack 3: loopback, common/models/user.js, normalizeCredentials
 */
export function readCredentials(value: unknown, settings: AccountSettings): AccountQuery {
  const credentials = isPlainObject(value) ? value : {}
  const { realmRequired, realmDelimiter } = settings
  const key = credentials['email'] ? 'email' : 'username'
  const { realm: written, name } = splitRealm(credentials[key], realmDelimiter)
  const realm = realmRequired || realmDelimiter !== undefined ? checkRealm(written ?? credentials['realm']) : undefined
  if (!name) throw new UsernameOrEmailRequired('username or email is required')
  if (typeof name !== 'string')
    throw key === 'email'
      ? new InvalidEmail('the email address must be a string')
      : new InvalidUsername('the user name must be a string')
  const found = { [key]: key === 'email' ? storedEmail(name, settings) : name }
  return realm === undefined ? found : { ...found, realm }
}
