export { users, users as default } from './plugin.ts'
export {
  type MailMessage,
  type OnResetRequest,
  type SendMail,
  type UsersOptions,
  type UsersSettings,
  UsersOptionsSchema,
  type TokenOptions
} from './options.ts'
export { type InstalledUsers, type Installing, installUsers } from './install-users.ts'
export type { AccountParts } from './accounts/account-parts.ts'
export type { ResetRequest } from './accounts/reset-request.ts'
export type { Authenticating, TokenSearch } from './identity/authenticate-request.ts'
export { authenticationHook } from './identity/authenticate-request.ts'
export { type AccessToken, accessTokenOf } from './identity/access-token-of.ts'
export { isAlive } from './identity/is-alive.ts'
export { type ReadToken, tokenReader } from './identity/read-token.ts'
export { type FindTokenId, tokenFinder, type TokenPlaces } from './tokens/find-token-id.ts'
export { newTokenId } from './tokens/token-id.ts'
export { limitAttempts } from './limits/limit-attempts.ts'
export { warnAboutWeakenedOptions } from './warn-about-weakened-options.ts'
export type {
  AccessTokenRecord,
  AccountMethods,
  AccountRecord,
  AccountStatics,
  Credentials
} from './models/account-types.ts'
export { accessTokenModel, userModel } from './models/definitions.ts'
export { applicationModel } from './applications/application-model.ts'
export {
  AccessTokenInvalid,
  CrossOriginRequest,
  EmailNotFound,
  EmailRequired,
  InvalidEmail,
  InvalidPassword,
  InvalidRealm,
  InvalidUsername,
  LoginFailed,
  LoginFailedEmailNotVerified,
  LogoutWithoutToken,
  MailNotConfigured,
  NoUserOfPassword,
  OtherUserModel,
  PasswordChangeNotAllowed,
  PasswordTooLong,
  RealmRequired,
  RedirectRefused,
  ResetFailedEmailNotVerified,
  TooManyAttempts,
  UsernameOrEmailRequired,
  UserNotFound,
  VerificationTokenInvalid,
  WrongPassword
} from './errors.ts'
