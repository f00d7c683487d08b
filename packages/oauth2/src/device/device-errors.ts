import { OAuthError } from '../errors.ts'

/** The user has not answered the request of a device yet: it polls again. @see RFC 8628 section 3.5 */
export class AuthorizationPending extends OAuthError {
  override readonly code = 'OAUTH_AUTHORIZATION_PENDING'
  override readonly statusCode = 400
  override readonly error = 'authorization_pending'
}

/** A device polls too often: it waits five seconds longer from now on. @see RFC 8628 section 3.5 */
export class SlowDown extends OAuthError {
  override readonly code = 'OAUTH_SLOW_DOWN'
  override readonly statusCode = 400
  override readonly error = 'slow_down'
}

/** The user did not answer the request of a device in time. @see RFC 8628 section 3.5 */
export class DeviceCodeExpired extends OAuthError {
  override readonly code = 'OAUTH_DEVICE_CODE_EXPIRED'
  override readonly statusCode = 400
  override readonly error = 'expired_token'
}

/** The user denied a device. @see RFC 8628 section 3.5 */
export class DeviceDenied extends OAuthError {
  override readonly code = 'OAUTH_DEVICE_DENIED'
  override readonly statusCode = 400
  override readonly error = 'access_denied'
}
