import type { CallScript, ScriptModel, ScriptRecord } from '../application.ts'
import { PassportModelsMissing } from '../errors.ts'
import type { LoginOptions } from '../provider-options.ts'
import { findAccount } from './find-account.ts'
import { readProfile } from './profile.ts'
import { profileToUser, type NewUser } from './profile-to-user.ts'

/** What `UserIdentity.login` is called with. */
export interface Login {
  readonly provider: string
  readonly authScheme: string
  readonly profile: unknown
  readonly credentials: unknown
  readonly options: LoginOptions
}

/** The account, the identity that it was known by, and the token of the login. */
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
    throw new PassportModelsMissing('accounts make no tokens: let their model extend User, or set createAccessToken')
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
 * `UserIdentity.login`: signs the user of a profile in. The first time an account is created, or found.
 * @throws {ProfileIdMissing} the profile has no id
 * @throws {ProfileEmailMissing} the profile has no address, and `emailOptional` is not set
 * @throws {PassportModelsMissing} the model of identities knows no users, or accounts make no tokens
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
