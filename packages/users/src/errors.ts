import { ApiError } from '@modelwire/core'

/** The account does not exist, or the password is wrong: the response does not reveal which. */
export class LoginFailed extends ApiError.with({ code: 'LOGIN_FAILED', statusCode: 401 }) {}
/** The password is correct, but the email address (of the user `details.userId`) has not been confirmed. */
export class LoginFailedEmailNotVerified extends ApiError.with({
  code: 'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
  statusCode: 401
}) {}
/** A login names no account: send `email` or `username`. */
export class UsernameOrEmailRequired extends ApiError.with({ code: 'USERNAME_EMAIL_REQUIRED', statusCode: 400 }) {}
/** The email address of a login must be a string. */
export class InvalidEmail extends ApiError.with({ code: 'INVALID_EMAIL', statusCode: 400 }) {}
/** The user name of a login must be a string. */
export class InvalidUsername extends ApiError.with({ code: 'INVALID_USERNAME', statusCode: 400 }) {}
/** The user model requires a realm: send `realm`, or write it before the delimiter. */
export class RealmRequired extends ApiError.with({ code: 'REALM_REQUIRED', statusCode: 400 }) {}
/** The realm must be a string. */
export class InvalidRealm extends ApiError.with({ code: 'INVALID_REALM', statusCode: 400 }) {}
/** A logout has no known token: nobody is logged in. */
export class LogoutWithoutToken extends ApiError.with({
  code: 'LOGOUT_WITHOUT_TOKEN',
  statusCode: 401,
  hidesCode: true
}) {}

/** A password is empty or not a string. 400 if the old password is wrong. */
export class InvalidPassword extends ApiError {
  override readonly code = 'INVALID_PASSWORD'
  override readonly statusCode: 400 | 422 = 422
}

/** The old password is wrong. LB3: the same code with another status; pinned by users/change-password. */
export class WrongPassword extends InvalidPassword {
  override readonly statusCode = 400
}

/** A password has more than 72 bytes: bcrypt would ignore the rest. */
export class PasswordTooLong extends ApiError.with({ code: 'PASSWORD_TOO_LONG', statusCode: 422 }) {}
/**
 * A client sends a new password with other properties, or `rejectPasswordChangesViaPatchOrReplace` is set: use
 * change-password or reset-password.
 */
export class PasswordChangeNotAllowed extends ApiError.with({ code: 'PASSWORD_CHANGE_NOT_ALLOWED', statusCode: 401 }) {}
/** A password reset requires `email`. */
export class EmailRequired extends ApiError.with({ code: 'EMAIL_REQUIRED', statusCode: 400 }) {}
/** No account has the email address of a reset (`revealAccounts`). */
export class EmailNotFound extends ApiError.with({ code: 'EMAIL_NOT_FOUND', statusCode: 404 }) {}
/** The email address of the account to reset has not been confirmed (`revealAccounts`, `compat`). */
export class ResetFailedEmailNotVerified extends ApiError.with({
  code: 'RESET_FAILED_EMAIL_NOT_VERIFIED',
  statusCode: 401
}) {}

/** The token of the request has expired. 400 if the token that confirms an email address is wrong. */
export class AccessTokenInvalid extends ApiError {
  override readonly code = 'INVALID_TOKEN'
  override readonly statusCode: 400 | 401 = 401
}

/** The token that confirms an address is wrong. LB3: the same code with another status; pinned by users/confirm. */
export class VerificationTokenInvalid extends AccessTokenInvalid {
  override readonly statusCode = 400
}

/** No user has this id. 401 when changing a password. */
export class UserNotFound extends ApiError {
  override readonly code = 'USER_NOT_FOUND'
  override readonly statusCode: 401 | 404 = 404
}

/** No user has the id whose password should be changed. LB3: the same code with another status; common/models/user.js */
export class NoUserOfPassword extends UserNotFound {
  override readonly statusCode = 401
}

/** The token belongs to a user of another user model: call the method of that model. */
export class OtherUserModel extends ApiError.with({ code: 'OTHER_USER_MODEL', statusCode: 403, hidesCode: true }) {}
/**
 * A page of another origin makes a change with the token in a cookie: add its origin to `tokens.cookieOrigins`, or send the
 * token in a header.
 */
export class CrossOriginRequest extends ApiError.with({ code: 'CROSS_ORIGIN_REQUEST', statusCode: 403 }) {}
/**
 * One address tried too often, or there were too many failures for one account (`rateLimit`): wait for the time in
 * `retry-after`.
 */
export class TooManyAttempts extends ApiError.with({ code: 'TOO_MANY_ATTEMPTS', statusCode: 429 }) {}
/** An email address is to be verified, but nothing sends mail: set `sendMail` of `users`, or add a mail data source. */
export class MailNotConfigured extends ApiError.with({ code: 'MAIL_NOT_CONFIGURED', statusCode: 501 }) {}
/** `confirm` would redirect to a server that is not in `confirmRedirects`. */
export class RedirectRefused extends ApiError.with({ code: 'REDIRECT_REFUSED', statusCode: 400 }) {}
