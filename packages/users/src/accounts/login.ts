import { Model } from '@modelwire/core'
import { compileFilter, repository, serverCall, stateOf, typeOf } from '@modelwire/core/plugin'
import { type ModelType, compileOptionalWhere } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { LoginFailed, LoginFailedEmailNotVerified } from '../errors.ts'
import { type AccountParts, callOwn, callOwnWithOptions } from './account-parts.ts'
import { accountLookup, accountSettings } from './account-settings.ts'
import { readCredentials } from './credentials.ts'

function wantsUser(include: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(include) ? include : [include]
  return list.some((item) => typeof item === 'string' && item.toLowerCase() === 'user')
}

/**
 * The account with these credentials. Without an account the same work is done.
 * @throws {LoginFailed} there is no such account, or the password is wrong
 * @throws {LoginFailedEmailNotVerified} the password is right, but the address was never confirmed
 */
export async function checkCredentials(parts: AccountParts, model: ModelType, credentials: unknown): Promise<Model> {
  const settings = accountSettings(model)
  const query = readCredentials(credentials, settings)
  const user = await repository.findOne(model, { where: query }, accountLookup(model))
  const { password } = isPlainObject(credentials) ? credentials : {}
  const isRight =
    user === null
      ? await parts.passwords.matches(password, undefined, settings.saltWorkFactor)
      : await callOwn(parts, user, 'hasPassword', [password])
  if (user === null || isRight !== true) throw new LoginFailed('login failed')
  await rehashPassword(parts, model, user, password)
  if (settings.emailVerificationRequired && !user['emailVerified'])
    throw new LoginFailedEmailNotVerified('login failed: the email address has not been verified', {
      details: { userId: repository.idOf(model, user) }
    })
  return user
}

/** Whether a login is still valid: the account is there, and its password is the one that was sent. */
async function isStillValid(parts: AccountParts, user: Model, password: unknown): Promise<boolean> {
  const model = typeOf(user)
  const where = repository.whereId(model, repository.idOf(model, user))
  // Observers have run for this login already.
  const [row] = (await model.collection?.find(compileFilter(model, { where, limit: 1 }, serverCall()))) ?? []
  if (row === undefined || row['password'] === user['password']) return row !== undefined
  // A new hash may be one of the same password.
  return (await callOwn(parts, repository.toInstance(model, row), 'hasPassword', [password])) === true
}

/**
 * Takes the token of a login back that was overtaken: its user's sessions ended, by a new password or with the account, before
 * this one was there.
 * @throws {LoginFailed} it was
 */
async function revokeIfSessionsEnded(
  parts: AccountParts,
  user: Model,
  password: unknown,
  token: unknown
): Promise<void> {
  if (await isStillValid(parts, user, password)) return
  if (token instanceof Model)
    await repository.destroyById(typeOf(token), repository.idOf(typeOf(token), token), serverCall())
  throw new LoginFailed('login failed')
}

/**
 * Logs a user in: returns a new token, with the user if `include` names it.
 * @throws {LoginFailed} there is no such account, or the password is wrong
 * @throws {LoginFailedEmailNotVerified} the password is right, but the address was never confirmed
 * @see LoopBack 3: loopback, common/models/user.js, login
 */
export async function login(
  parts: AccountParts,
  model: ModelType,
  credentials: unknown,
  include: unknown
): Promise<unknown> {
  const user = await checkCredentials(parts, model, credentials)
  const { ttl, password } = isPlainObject(credentials) ? credentials : {}
  // An object would be taken for the whole token: whose it is, what for and since when.
  const life = typeof ttl === 'object' ? undefined : ttl
  const token = await callOwnWithOptions(parts, user, 'createAccessToken', [life, credentials])
  await revokeIfSessionsEnded(parts, user, password, token)
  if (wantsUser(include)) showUser(token, user)
  return token
}

/** LB3: the answer shows the user beside the token's properties; pinned by users/login. */
function showUser(token: unknown, user: Model): void {
  if (!(token instanceof Object) || !('constructor' in token)) return
  const state = stateOf(token as Model) // tokens are records
  state.related = { ...state.related, user }
}

/**
 * Hashes a password again that just proved to be right, where its hash is not of the form that new ones have. Neither
 * do observers run nor do sessions end: the password stays the same. One that was changed meanwhile stays as it is.
 */
async function rehashPassword(
  { passwords }: Pick<AccountParts, 'passwords'>,
  model: ModelType,
  user: Model,
  password: unknown
): Promise<void> {
  const { password: stored } = user
  const { saltWorkFactor } = accountSettings(model)
  if (typeof password !== 'string' || typeof stored !== 'string' || !passwords.isOutdated(stored, saltWorkFactor))
    return
  const { collection, dataSource } = model
  if (collection === undefined || dataSource?.connector.capabilities.operations.has('update') !== true) return
  const hashed = await passwords.hash(password, saltWorkFactor)
  const where = compileOptionalWhere(
    model,
    { ...repository.whereId(model, repository.idOf(model, user)), password: stored },
    serverCall()
  )
  if ((await collection.update(where, { password: hashed })) > 0) user['password'] = hashed
}
