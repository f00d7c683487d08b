import { ApiError } from '../errors.ts'

/** No operation answers this verb and path: LoopBack's 404 without a code. */
export class RouteNotFound extends ApiError {
  override readonly code = 'ROUTE_NOT_FOUND'
  override readonly statusCode = 404
  override readonly hidesCode = true
}

/** A method, or a hook, sets a status or a header that HTTP does not have: 500. */
export class InvalidAnswer extends ApiError {
  override readonly code = 'ANSWER_INVALID'
  override readonly statusCode = 500
  override readonly hidesCode = true
}
