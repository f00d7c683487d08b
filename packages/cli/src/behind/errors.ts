import { ApiError } from '@modelwire/core'

/** The old server refuses connections, or breaks an answer off before it begins. */
export class OldServerUnreachable extends ApiError {
  override readonly code = 'OLD_SERVER_UNREACHABLE'
  override readonly statusCode = 502
}

/** The old server does not answer in time. */
export class OldServerTimeout extends ApiError {
  override readonly code = 'OLD_SERVER_TIMEOUT'
  override readonly statusCode = 504
}

/** A request has a path or a header that cannot be sent on. */
export class RequestNotForwardable extends ApiError {
  override readonly code = 'REQUEST_NOT_FORWARDABLE'
  override readonly statusCode = 400
}

/** A request to the control API has no token, or a wrong one. */
export class ControlTokenRequired extends ApiError {
  override readonly code = 'CONTROL_TOKEN_REQUIRED'
  override readonly statusCode = 401
}

/** A request to the control API came by another name, or from a page of another origin. */
export class ControlOriginRefused extends ApiError {
  override readonly code = 'CONTROL_ORIGIN_REFUSED'
  override readonly statusCode = 403
}

/** A request to the control API is malformed. */
export class ControlRequestInvalid extends ApiError {
  override readonly code = 'CONTROL_REQUEST_INVALID'
  override readonly statusCode = 400
}

/** A name or pattern fits no route. */
export class UnknownRoute extends ApiError {
  override readonly code = 'ROUTE_NOT_KNOWN'
  override readonly statusCode = 404
}

/** A route was switched, but the state could not be saved for a restart. */
export class HandoverNotSaved extends ApiError {
  override readonly code = 'HANDOVER_NOT_SAVED'
  override readonly statusCode = 500
}

/** The control API failed for a reason that the log has. */
export class ControlFailed extends ApiError {
  override readonly code = 'CONTROL_FAILED'
  override readonly statusCode = 500
}

/** The control API has no such address. */
export class ControlPathUnknown extends ApiError {
  override readonly code = 'CONTROL_PATH_UNKNOWN'
  override readonly statusCode = 404
}

/** The body of an answer that is an error, in the form of all others. */
export const errorBody = (error: Pick<ApiError, 'statusCode' | 'message'> & { readonly code?: string }): object => {
  const { statusCode, message, code } = error
  return { error: { statusCode, name: 'Error', message, code } }
}
