export { users, users as default } from './plugin.ts'
export {
  type MailMessage,
  type OnResetRequest,
  type ResetRequest,
  type SendMail,
  type UsersOptions,
  type UsersSettings,
  UsersOptionsSchema,
  type TokenOptions
} from './options.ts'
export { type InstalledUsers, type Installing, installUsers, warnAboutWeakenedOptions } from './install-users.ts'
export type { AccountParts } from './accounts/account-parts.ts'
export type { Authenticating, TokenSearch } from './identity/authenticate-request.ts'
export { authenticationHook } from './identity/authenticate-request.ts'
export { type AccessToken, accessTokenOf, type ReadToken, tokenReader, isAlive } from './identity/read-token.ts'
export { type FindTokenId, tokenFinder, type TokenPlaces, newTokenId } from './tokens/token-ids.ts'
export { limitAttempts } from './limits/limit-attempts.ts'
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
