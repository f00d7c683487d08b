import type { CallScript, ScriptModel, ScriptRecord } from '../application.ts'
import { PassportModelsMissing, ProfileEmailMissing } from '../errors.ts'
import type { LoginOptions } from '../provider-options.ts'
import { readProfile, isUnverified, type Profile, emailOf, valueAt } from './profile.ts'
import { generateKey } from './generate-key.ts'

/** Properties of an account. */
interface NewUser {
  readonly username?: unknown
  readonly email?: unknown
  readonly [property: string]: unknown
}

/** A name as the part of an address before its @: identifiers of OpenID are URLs, which LoopBack makes invalid addresses of. */
const localPart = (name: string): string => (/[\s@:;,<>()[\]\\"]/.test(name) ? encodeURIComponent(name) : name)

/** The arguments of `UserIdentity.login`. */
export interface Login {
  readonly provider: string
  readonly authScheme: string
  readonly profile: unknown
  readonly credentials: unknown
  readonly options: LoginOptions
}

/** The account, its identity, and the token of the login. */
export type LoggedIn = readonly [user: ScriptRecord | null, identity: ScriptRecord, token?: unknown]

/** The account of an identity; null where it was deleted. */
async function userOf(call: CallScript, identity: ScriptRecord): Promise<ScriptRecord | null> {
  const { user } = identity
  if (typeof user !== 'function') throw new PassportModelsMissing('the model of identities has no relation "user"')
  const [found] = await call(user as (...args: unknown[]) => unknown, identity, []) // the helper of a relation
  return (found ?? null) as ScriptRecord | null // it gives a record
}

function modelOfUsers(identities: ScriptModel): ScriptModel {
  const { modelTo } = identities.relations['user'] ?? {}
  if (modelTo !== undefined) return modelTo
  throw new PassportModelsMissing('the model of identities has no relation "user": call setupModels')
}

/** @throws {PassportModelsMissing} accounts make no tokens */
async function makeToken(call: CallScript, user: ScriptRecord, options: LoginOptions): Promise<unknown> {
  const { autoLogin = true, createAccessToken } = options
  if (!autoLogin) return undefined
  if (createAccessToken !== undefined) return (await call(createAccessToken, undefined, [user]))[0]
  const own: unknown = user['createAccessToken']
  if (typeof own !== 'function')
    throw new PassportModelsMissing(
      'accounts cannot create tokens: make their model extend User, or set createAccessToken'
    )
  return (await call(own as (...args: unknown[]) => unknown, user, [0]))[0] // a method of accounts
}

/** The identity of a profile that was never seen before, and the account that it belongs to. */
async function addIdentity(
  identities: ScriptModel,
  profile: { readonly id: unknown },
  { provider, authScheme, credentials, options }: Login,
  user: NewUser
): Promise<readonly [ScriptRecord, ScriptRecord]> {
  const account = await findAccount(modelOfUsers(identities), user, profile, options)
  const now = new Date()
  const where = { provider, externalId: profile.id }
  const data = { ...where, authScheme, profile, credentials, userId: account.id, created: now, modified: now }
  const [identity] = await identities.findOrCreate({ where }, data)
  return [account, identity]
}

/**
 * Implements `UserIdentity.login`: signs in the user of a profile. The first time, an account is created, or found.
 * @throws {ProfileIdMissing} the profile has no id
 * @throws {ProfileEmailMissing} the profile has no address, and `emailOptional` is not set
 * @throws {PassportModelsMissing} the model of identities has no user relation, or accounts cannot create tokens
 * @see LoopBack 3: loopback-component-passport, lib/models/user-identity.js
 */
export async function logIn(call: CallScript, identities: ScriptModel, login: Login): Promise<LoggedIn> {
  const { provider, credentials, options } = login
  const profile = readProfile(login.profile)
  const toUser = options.profileToUser ?? profileToUser
  const wanted = (await toUser.call(undefined, provider, profile, options)) as NewUser // properties of an account
  const existing = await identities.findOne({ where: { provider, externalId: profile.id } })
  if (existing === null) {
    const [user, identity] = await addIdentity(identities, profile, login, wanted)
    return [user, identity, await makeToken(call, user, options)]
  }
  await existing.patchAttributes({ profile, credentials, modified: new Date() })
  const user = await userOf(call, existing)
  return user === null ? [user, existing] : [user, existing, await makeToken(call, user, options)]
}

/** The keys of an existing account: its user name or address. An unverified address does not count. */
function keysOf({ username, email }: NewUser, profile: Profile): readonly object[] {
  return [...(username ? [{ username }] : []), ...(email && !isUnverified(profile, email) ? [{ email }] : [])]
}

/**
 * The account for a profile that has no identity yet: an existing one, unless `linkExisting` is false, else a new one.
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

/**
 * The properties of the account for a profile, with a password that is not disclosed to anyone. Its address is one that no
 * other account has, unless the provider is a directory of the application's own.
 * @see LoopBack 3: loopback-component-passport, lib/models/user-identity.js
 */
export function profileToUser(provider: string, profile: Profile, { profileMapping }: LoginOptions): NewUser {
  const password = generateKey('password')
  if (profileMapping !== undefined) {
    const mapped = profileMapping.map(({ userField, providerField }) => [userField, valueAt(profile, providerField)])
    return { password, ...(Object.fromEntries(mapped) as NewUser) } // names of the application's own
  }
  const name = String(profile['username'] || profile.id)
  const generated = `${localPart(name)}@loopback.${String(profile['provider'] || provider)}.com`
  const email = provider === 'ldap' ? emailOf(profile) : generated
  return { username: `${provider}.${name}`, password, ...(email ? { email } : {}) }
}
