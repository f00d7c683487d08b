import { ApiError } from '@modelwire/core'

/** A key has no value. */
export class KeyNotFound extends ApiError {
  override readonly code = 'KEY_NOT_FOUND'
  override readonly statusCode = 404
}

/** Thrown by the operations on a key other than reading its value: LoopBack sends no code then. */
export class KeyUnknown extends KeyNotFound {
  override readonly hidesCode = true
}

/** The store refuses a command for the reason in `cause`. */
export class KeyValueStoreFailed extends ApiError {
  override readonly code = 'KEY_VALUE_STORE_FAILED'
  override readonly statusCode = 500
}
