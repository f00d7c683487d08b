import type { Model } from '@modelwire/core'
import { typeOf, repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { checkPassword, isSameText } from '../passwords/passwords.ts'
import { type AccountParts, type Method, tokensOf, type WrapMethod } from './account-parts.ts'
import { accountSettings } from './account-settings.ts'
import { changeOwnPassword, changePassword, setOwnPassword, setPassword } from './change-password.ts'
import { checkCredentials, login } from './login.ts'
import { resetPassword } from './reset-password.ts'
import { newVerificationToken, verify } from './verify.ts'
import { verifyOptionsOf, checkRedirect } from './verify-options.ts'
import { UserNotFound, VerificationTokenInvalid, LogoutWithoutToken } from '../errors.ts'

type Functions<Self> = Readonly<
  Record<string, (parts: AccountParts, self: Self, args: readonly unknown[]) => Promise<unknown>>
>

const onModel: Functions<ModelType> = {
  login: (parts, model, [credentials, include]) => login(parts, model, credentials, include),
  checkCredentials: (parts, model, [credentials]) => checkCredentials(parts, model, credentials),
  logout: (parts, model, [token]) => logout(parts, model, token),
  confirm,
  resetPassword: (parts, model, [options]) => resetPassword(parts, model, options),
  changePassword,
  setPassword,
  generateVerificationToken: async () => newVerificationToken()
}

const onRecord: Functions<Model> = {
  createAccessToken,
  hasPassword: ({ passwords }, user, [plain]) => {
    const { password } = user
    const hashed = typeof password === 'string' ? password : undefined
    return passwords.matches(plain, hashed, accountSettings(typeOf(user)).saltWorkFactor)
  },
  changePassword: changeOwnPassword,
  setPassword: (_parts, user, [newPassword, options]) => setOwnPassword(user, newPassword, options),
  verify
}

/** Adds the functions that scripts call and remote methods run to a user model and its records. */
export function addAccountFunctions(userModel: typeof Model, parts: AccountParts, wrap: WrapMethod): void {
  for (const [name, run] of Object.entries(onModel))
    define(
      userModel,
      name,
      wrap(async function (this: unknown, ...args) {
        return run(parts, (this as typeof Model).modelType, args) // called on a model
      })
    )
  for (const [name, run] of Object.entries(onRecord))
    define(
      userModel.prototype,
      name,
      wrap(async function (this: unknown, ...args) {
        return run(parts, this as Model, args) // called on a record
      })
    )
  define(userModel, 'validatePassword', (password: unknown) => checkPassword(password))
  define(userModel, 'getVerifyOptions', function (this: unknown) {
    return verifyOptionsOf((this as typeof Model).modelType, parts) // called on a model
  })
}

function define(owner: object, name: string, value: Method): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

/**
 * Confirms the email address of a user with the token that was sent there.
 * @throws {RedirectRefused} the client would be sent to a foreign server
 * @throws {UserNotFound} no user has this id
 * @throws {VerificationTokenInvalid} the token does not match
 * @see LoopBack 3: loopback, common/models/user.js, confirm
 */
export async function confirm(
  { options }: Pick<AccountParts, 'options'>,
  model: ModelType,
  [uid, token, redirect]: readonly unknown[]
): Promise<void> {
  checkRedirect(redirect, model, options.confirmRedirects)
  const user = await repository.findById(model, uid, undefined, serverCall())
  if (user === null) throw new UserNotFound('unknown user')
  if (!isSameText(user['verificationToken'], token)) throw new VerificationTokenInvalid('the token is not valid')
  await repository.patchInstance(model, user, { verificationToken: null, emailVerified: true }, serverCall())
}

/** Seconds that a token lives: what is requested, or the setting, and never more than the longest life. */
function lifeOf(requested: unknown, { ttl, maxTTL }: { readonly ttl: number; readonly maxTTL: number }): number {
  const wanted = Number(requested || ttl)
  return Math.min(Number.isNaN(wanted) ? ttl : wanted, maxTTL)
}

/**
 * Makes a token of a user: `(ttl)`, `(ttl, options)`, `(data, options)` or `(options)`.
 * @see LoopBack 3: loopback, common/models/user.js, createAccessToken
 */
async function createAccessToken(
  { registry, options: { accessTokenModel } }: AccountParts,
  user: Model,
  args: readonly unknown[]
): Promise<Model> {
  const [first, options] = args
  const userModel = typeOf(user)
  const { model, foreignKey, discriminator } = tokensOf(registry, userModel, accessTokenModel)
  const data = isPlainObject(first) && options !== undefined ? first : {}
  const requested = isPlainObject(first) ? data['ttl'] : first
  const token = {
    ...data,
    ttl: lifeOf(requested, accountSettings(userModel)),
    [foreignKey]: repository.idOf(userModel, user),
    ...(discriminator === undefined ? {} : { [discriminator]: userModel.name })
  }
  return repository.create(model, token, serverCall())
}

/**
 * Ends the life of a token.
 * @throws {LogoutWithoutToken} there is none with this id
 * @see LoopBack 3: loopback, common/models/user.js, logout
 */
async function logout(
  { registry, options: { accessTokenModel } }: AccountParts,
  userModel: ModelType,
  id: unknown
): Promise<void> {
  if (typeof id !== 'string' || id === '') throw new LogoutWithoutToken('a token is required to log out')
  const { model } = tokensOf(registry, userModel, accessTokenModel)
  const { count } = await repository.destroyById(model, id, serverCall())
  if (count === 0) throw new LogoutWithoutToken('unknown access token')
}
