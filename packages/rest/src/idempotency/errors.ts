import { ApiError } from '@modelwire/core'

/** A request with this `Idempotency-Key` is being carried out: 409. */
export class IdempotencyKeyInUse extends ApiError {
  override readonly code = 'IDEMPOTENCY_KEY_IN_USE'
  override readonly statusCode = 409
}

/** The `Idempotency-Key` was sent with another request before: 422. */
export class IdempotencyKeyReused extends ApiError {
  override readonly code = 'IDEMPOTENCY_KEY_REUSED'
  override readonly statusCode = 422
}

/** The request with this `Idempotency-Key` was carried out, and its answer not kept: 409. `details` has its status. */
export class IdempotencyAnswerNotKept extends ApiError {
  override readonly code = 'IDEMPOTENCY_ANSWER_NOT_KEPT'
  override readonly statusCode = 409
}

/** This caller has sent too many new keys: 429. The request was not carried out; `Retry-After` says when another key is taken. */
export class TooManyIdempotencyKeys extends ApiError {
  override readonly code = 'TOO_MANY_IDEMPOTENCY_KEYS'
  override readonly statusCode = 429
}
