import type { Model } from '@modelwire/core'
import { type ModelType, typeOf } from '@modelwire/core/plugin'
import { checkPassword } from '../passwords/check-password.ts'
import type { WrapMethod } from '../applications/application-functions.ts'
import type { AccountParts, Method } from './account-parts.ts'
import { accountSettings } from './account-settings.ts'
import { changeOwnPassword, changePassword, setOwnPassword, setPassword } from './change-password.ts'
import { confirm } from './confirm.ts'
import { createAccessToken } from './create-access-token.ts'
import { checkCredentials, login } from './login.ts'
import { logout } from './logout.ts'
import { resetPassword } from './reset-password.ts'
import { newVerificationToken, verify } from '../verification/verify.ts'
import { verifyOptionsOf } from '../verification/verify-options.ts'

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

/** Gives a user model and its records the functions that scripts call and remote methods run. */
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
