import { AuthorizationRequired } from '@modelwire/acl'
import { InvalidArgument, Model } from '@modelwire/core'
import { repository, serverCall, typeOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { NoUserOfPassword, WrongPassword } from '../errors.ts'
import { checkPassword } from '../passwords/passwords.ts'
import { type AccountParts, tokensOf, callOwn } from './account-parts.ts'

type Options = Readonly<Record<string, unknown>>

async function userOf(model: ModelType, id: unknown, options: Options): Promise<Model> {
  const call = { options: { ...options } }
  const user = id === undefined || id === null ? null : await repository.findById(model, id, undefined, call)
  if (user === null) throw new NoUserOfPassword('unknown user')
  return user
}

/** LB3: an empty text is not an argument; pinned by users/change-password. */
function requireText(newPassword: unknown): void {
  if (newPassword === '') throw new InvalidArgument('newPassword is a required argument')
}

const optionsIn = (options: unknown): Options => (isPlainObject(options) ? options : {})

/** Sets a new password for a user, which ends all sessions except the caller's. */
export async function setOwnPassword(user: Model, newPassword: unknown, options: unknown): Promise<void> {
  checkPassword(newPassword)
  const callOptions = { ...optionsIn(options), setPassword: true }
  await repository.patchInstance(typeOf(user), user, { password: newPassword }, { options: callOptions })
}

/**
 * Changes the password of a user who knows the old one.
 * @throws {WrongPassword} the old one is wrong
 */
export async function changeOwnPassword(
  parts: AccountParts,
  user: Model,
  [oldPassword, newPassword, options]: readonly unknown[]
): Promise<void> {
  if ((await callOwn(parts, user, 'hasPassword', [oldPassword])) !== true)
    throw new WrongPassword('the old password is wrong')
  await callOwn(parts, user, 'setPassword', [newPassword, optionsIn(options)])
}

/**
 * Changes the password of the user with this id.
 * @throws {NoUserOfPassword} there is none
 * @see LoopBack 3: loopback, common/models/user.js, changePassword
 */
export async function changePassword(
  parts: AccountParts,
  model: ModelType,
  [id, oldPassword, newPassword, options]: readonly unknown[]
): Promise<void> {
  requireText(newPassword)
  const callOptions = optionsIn(options)
  await callOwn(parts, await userOf(model, id, callOptions), 'changePassword', [oldPassword, newPassword, callOptions])
}

/**
 * Sets the password of the user with this id using a reset token.
 * @throws {NoUserOfPassword} there is none
 * @throws {AuthorizationRequired} the token has set a password meanwhile
 * @see LoopBack 3: loopback, common/models/user.js, setPassword
 */
export async function setPassword(
  parts: AccountParts,
  model: ModelType,
  [id, newPassword, options]: readonly unknown[]
): Promise<void> {
  requireText(newPassword)
  const user = await userOf(model, id, optionsIn(options))
  const giveBack = await useResetToken(parts, model, optionsIn(options)['accessToken'])
  try {
    await callOwn(parts, user, 'setPassword', [newPassword, optionsIn(options)])
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** An unused token has nothing to restore. */
const nothing = async (): Promise<void> => {}

const isForReset = ({ scopes }: Model): boolean =>
  Array.isArray(scopes) && scopes.every((scope) => scope === 'reset-password')

/**
 * Takes the scopes of a token that is meant for a reset alone: it stays stored, so that it differs from no token, but
 * shares a scope with no method. Of several requests with it one proceeds. Returns the function that restores the
 * scopes, for a password that is refused.
 * @throws {AuthorizationRequired} another request was quicker
 */
async function useResetToken(
  { registry, options: { accessTokenModel, resetTokenOnce } }: AccountParts,
  userModel: ModelType,
  token: unknown
): Promise<() => Promise<unknown>> {
  if (!resetTokenOnce || !(token instanceof Model) || !isForReset(token)) return nothing
  const { model } = tokensOf(registry, userModel, accessTokenModel)
  const { created, scopes } = token
  const id = repository.idOf(model, token)
  if (!(created instanceof Date) || id === undefined) return nothing
  // The time distinguishes an unused token from a used one on every database, as lists of scopes do not.
  const where = { ...repository.whereId(model, id), created }
  const used = { scopes: [], created: new Date(Math.max(Date.now(), created.getTime() + 1)) }
  const { count } = await repository.updateAll(model, where, used, serverCall())
  if (count === 0) throw new AuthorizationRequired('Authorization Required')
  return () => repository.patchById(model, id, { scopes, created }, { call: serverCall(), restriction: undefined })
}
