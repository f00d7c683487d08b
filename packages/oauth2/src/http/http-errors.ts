import { OAuthError } from '../errors.ts'

/** What the processes of the server share cannot be reached: what may happen only once is refused. */
export class TemporarilyUnavailable extends OAuthError {
  override readonly code = 'OAUTH_TEMPORARILY_UNAVAILABLE'
  override readonly statusCode = 503
  override readonly error = 'temporarily_unavailable'
}
