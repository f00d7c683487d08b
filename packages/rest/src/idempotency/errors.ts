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
