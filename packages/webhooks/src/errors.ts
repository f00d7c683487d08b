import { ApiError } from '@modelwire/core'

/** An endpoint is at an address that webhooks are not sent to: 422. */
export class WebhookAddressRefused extends ApiError {
  override readonly code = 'WEBHOOK_ADDRESS_REFUSED'
  override readonly statusCode = 422
}

/** A property of an endpoint cannot be used: 422. */
export class WebhookEndpointInvalid extends ApiError {
  override readonly code = 'WEBHOOK_ENDPOINT_INVALID'
  override readonly statusCode = 422
}

/** A client without a user creates an endpoint: what the endpoint may receive is what its user may read. */
export class WebhookOwnerMissing extends ApiError {
  override readonly code = 'WEBHOOK_OWNER_MISSING'
  override readonly statusCode = 403
}

/** A user has as many endpoints as one user may have: 422. */
export class TooManyWebhookEndpoints extends ApiError {
  override readonly code = 'WEBHOOK_ENDPOINTS_TOO_MANY'
  override readonly statusCode = 422
}

/** A caller asks for more messages in a minute than `callsPerMinute` allows: 429. */
export class TooManyWebhookCalls extends ApiError {
  override readonly code = 'WEBHOOK_CALLS_TOO_MANY'
  override readonly statusCode = 429
  readonly headers: Readonly<Record<string, string>>
  /** @param wait seconds until the next call may be made */
  constructor(message: string, wait: number) {
    super(message)
    this.headers = { 'retry-after': String(wait) }
  }
}

/** A delivery is to be sent again that is still being sent: 409. */
export class WebhookDeliveryPending extends ApiError {
  override readonly code = 'WEBHOOK_DELIVERY_PENDING'
  override readonly statusCode = 409
}

/** A stored secret cannot be decrypted, since the option `secret` has changed, or there is none. */
export class WebhookSecretSealed extends ApiError {
  override readonly code = 'WEBHOOK_SECRET_SEALED'
  override readonly statusCode = 500
}
