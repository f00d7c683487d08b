import { ApiError } from '@modelwire/core'

/** No such account, or a wrong password: the answer does not reveal which. */
export class LoginFailed extends ApiError {
  override readonly code = 'LOGIN_FAILED'
  override readonly statusCode = 401
}

/** The password is right, but the address was never confirmed. `details.userId` is the user's id. */
export class LoginFailedEmailNotVerified extends ApiError {
  override readonly code = 'LOGIN_FAILED_EMAIL_NOT_VERIFIED'
  override readonly statusCode = 401
}

/** A login needs an email address or a user name. */
export class UsernameOrEmailRequired extends ApiError {
  override readonly code = 'USERNAME_EMAIL_REQUIRED'
  override readonly statusCode = 400
}

/** An email address must be a text. */
export class InvalidEmail extends ApiError {
  override readonly code = 'INVALID_EMAIL'
  override readonly statusCode = 400
}

/** A user name must be a text. */
export class InvalidUsername extends ApiError {
  override readonly code = 'INVALID_USERNAME'
  override readonly statusCode = 400
}

/** The user model needs a realm. */
export class RealmRequired extends ApiError {
  override readonly code = 'REALM_REQUIRED'
  override readonly statusCode = 400
}

/** A realm must be a text. */
export class InvalidRealm extends ApiError {
  override readonly code = 'INVALID_REALM'
  override readonly statusCode = 400
}

/** No one is logged in, so no one can log out. */
export class LogoutWithoutToken extends ApiError {
  override readonly code = 'LOGOUT_WITHOUT_TOKEN'
  override readonly statusCode = 401
  override readonly hidesCode = true
}

/** The password is empty or no text. */
export class InvalidPassword extends ApiError {
  override readonly code = 'INVALID_PASSWORD'
  override readonly statusCode: number = 422
}

/** The old password is wrong. LB3: the same code with another status; pinned by users/change-password. */
export class WrongPassword extends InvalidPassword {
  override readonly statusCode: number = 400
}

/** bcrypt reads 72 bytes of a password: a longer one would be cut off in silence. */
export class PasswordTooLong extends ApiError {
  override readonly code = 'PASSWORD_TOO_LONG'
  override readonly statusCode = 422
}

/** `rejectPasswordChangesViaPatchOrReplace` is set: passwords are changed by their own methods alone. */
export class PasswordChangeNotAllowed extends ApiError {
  override readonly code = 'PASSWORD_CHANGE_NOT_ALLOWED'
  override readonly statusCode = 401
}

/** A reset needs the email address of the account. */
export class EmailRequired extends ApiError {
  override readonly code = 'EMAIL_REQUIRED'
  override readonly statusCode = 400
}

/** No account has this address; shown where `revealAccounts` is set. */
export class EmailNotFound extends ApiError {
  override readonly code = 'EMAIL_NOT_FOUND'
  override readonly statusCode = 404
}

/** The address of the account was never confirmed. */
export class ResetFailedEmailNotVerified extends ApiError {
  override readonly code = 'RESET_FAILED_EMAIL_NOT_VERIFIED'
  override readonly statusCode = 401
}

/** The token of a request has expired. */
export class AccessTokenInvalid extends ApiError {
  override readonly code = 'INVALID_TOKEN'
  override readonly statusCode: number = 401
}

/** The token that confirms an address is another one. LB3: the same code with another status; pinned by users/confirm. */
export class VerificationTokenInvalid extends AccessTokenInvalid {
  override readonly statusCode: number = 400
}

/** No user has this id. */
export class UserNotFound extends ApiError {
  override readonly code = 'USER_NOT_FOUND'
  override readonly statusCode: number = 404
}

/**
 * There is no user with the id whose password is to change. LB3: the same code with another status;
 * common/models/user.js
 */
export class NoUserOfPassword extends UserNotFound {
  override readonly statusCode: number = 401
}

/** The token belongs to a user of another model. */
export class OtherUserModel extends ApiError {
  override readonly code = 'OTHER_USER_MODEL'
  override readonly statusCode = 403
  override readonly hidesCode = true
}

/** A page of another site sent a request that a browser added the cookie with a token to. */
export class CrossOriginRequest extends ApiError {
  override readonly code = 'CROSS_ORIGIN_REQUEST'
  override readonly statusCode = 403
}

/** Too many attempts in a short time. */
export class TooManyAttempts extends ApiError {
  override readonly code = 'TOO_MANY_ATTEMPTS'
  override readonly statusCode = 429
}

/** An address was to be verified, and there is no way to send the message. */
export class MailNotConfigured extends ApiError {
  override readonly code = 'MAIL_NOT_CONFIGURED'
  override readonly statusCode = 501
}

/** Confirming an address would redirect to a server that the application does not name. */
export class RedirectRefused extends ApiError {
  override readonly code = 'REDIRECT_REFUSED'
  override readonly statusCode = 400
}
