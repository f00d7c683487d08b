import type { ScriptModel, ScriptRecord } from '../application.ts'
import { ProfileEmailMissing } from '../errors.ts'
import type { LoginOptions } from '../provider-options.ts'
import { isUnverified, type Profile } from './profile.ts'
import type { NewUser } from './profile-to-user.ts'

/** The keys of an existing account: its user name or address. An unverified address does not count. */
function keysOf({ username, email }: NewUser, profile: Profile): readonly object[] {
  return [...(username ? [{ username }] : []), ...(email && !isUnverified(profile, email) ? [{ email }] : [])]
}

/**
 * The account that a profile belongs to which has no identity yet: one that exists, unless `linkExisting` is false, else a new one.
 * @throws {ProfileEmailMissing} it has no address
 */
export async function findAccount(
  users: ScriptModel,
  user: NewUser,
  profile: Profile,
  { emailOptional, linkExisting }: LoginOptions
): Promise<ScriptRecord> {
  if (!user.email && !emailOptional) throw new ProfileEmailMissing('email is missing from the user profile')
  const keys = linkExisting === false ? [] : keysOf(user, profile)
  // Without a condition the first account of all would be found.
  if (keys.length === 0) return (await users.create(user)) as ScriptRecord // one object makes one record
  const filter = { where: keys.length === 1 ? keys[0] : { or: keys } }
  // The new account would break a rule where there is one: its name or address is in use.
  const existing = await users.findOne(filter)
  if (existing !== null && keys.some((key) => hasKey(existing, key))) return existing
  // What only the database takes for the same is the account of somebody else.
  if (existing !== null) return (await users.create(user)) as ScriptRecord // one object makes one record
  const [found] = await users.findOrCreate(filter, user)
  return found
}

/** The account has this name or address; databases may also ignore accents and trailing spaces. */
function hasKey(account: ScriptRecord, key: object): boolean {
  return Object.entries(key).every(
    ([name, value]) => String(account[name]).toLowerCase() === String(value).toLowerCase()
  )
}
