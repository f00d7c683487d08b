import { InvalidArgument, isPlainObject, type Model, type ModelType, repository, typeOf } from '@modelwire/core'
import { UserNotFound, WrongPassword } from '../errors.ts'
import { checkPassword } from '../passwords/check-password.ts'
import type { AccountParts } from './account-parts.ts'
import { callOwn } from './call-own.ts'
import { tokensOf } from './token-model.ts'

type Options = Readonly<Record<string, unknown>>

async function userOf(model: ModelType, id: unknown): Promise<Model> {
  const user = id === undefined || id === null ? null : await repository.findById(model, id, undefined, {})
  if (user === null) throw new UserNotFound('there is no such user')
  return user
}

/** LB3: an empty text is no argument; pinned by users/change-password. */
function requireText(newPassword: unknown): void {
  if (newPassword === '') throw new InvalidArgument('newPassword is a required argument')
}

const optionsIn = (options: unknown): Options => (isPlainObject(options) ? options : {})

/** Gives a user a new password, which ends all sessions but the caller's. */
export async function setOwnPassword(user: Model, newPassword: unknown, options: unknown): Promise<void> {
  checkPassword(newPassword)
  const given = { ...optionsIn(options), setPassword: true }
  await repository.patchInstance(typeOf(user), user, { password: newPassword }, given)
}

/**
 * Changes the password of a user who knows the old one.
 * @throws {WrongPassword} the old one is another
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
 * @throws {UserNotFound} there is none
 * @see LoopBack 3: loopback, common/models/user.js, changePassword
 */
export async function changePassword(
  parts: AccountParts,
  model: ModelType,
  [id, oldPassword, newPassword, options]: readonly unknown[]
): Promise<void> {
  requireText(newPassword)
  await callOwn(parts, await userOf(model, id), 'changePassword', [oldPassword, newPassword, optionsIn(options)])
}

/**
 * Sets the password of the user with this id by the token of a reset.
 * @throws {UserNotFound} there is none
 * @see LoopBack 3: loopback, common/models/user.js, setPassword
 */
export async function setPassword(
  parts: AccountParts,
  model: ModelType,
  [id, newPassword, options]: readonly unknown[]
): Promise<void> {
  requireText(newPassword)
  await callOwn(parts, await userOf(model, id), 'setPassword', [newPassword, optionsIn(options)])
  await endResetToken(parts, model, optionsIn(options)['accessToken'])
}

/** A token that is meant for a reset alone has done its work. */
async function endResetToken(
  { registry, options: { accessTokenModel, resetTokenOnce = true } }: AccountParts,
  userModel: ModelType,
  token: unknown
): Promise<void> {
  if (!resetTokenOnce || typeof token !== 'object' || token === null || !('scopes' in token)) return
  const { model } = tokensOf(registry, userModel, accessTokenModel)
  const isForReset = Array.isArray(token.scopes) && token.scopes.every((scope) => scope === 'reset-password')
  const id = repository.idOf(model, { ...token })
  // It stays known, so that it is told apart from no token, but shares a scope with no method.
  if (isForReset && id !== undefined) await repository.patchById(model, id, { scopes: [] }, {})
}
