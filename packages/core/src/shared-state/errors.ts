import { ApiError } from '../errors.ts'

/** What the processes of the application share cannot be read or changed at the moment: what may happen only once is refused. */
export class SharedStateUnavailable extends ApiError {
  override readonly code = 'SHARED_STATE_UNAVAILABLE'
  override readonly statusCode = 503
}
