import { ApiError } from '@modelwire/core'

/** The `url` of an endpoint is malformed, or not an https URL of the public network. */
export class WebhookAddressRefused extends ApiError.with({ code: 'WEBHOOK_ADDRESS_REFUSED', statusCode: 422 }) {}
/** A property of an endpoint is invalid: a model without a log, an unknown kind, a reserved header, a malformed secret. */
export class WebhookEndpointInvalid extends ApiError.with({ code: 'WEBHOOK_ENDPOINT_INVALID', statusCode: 422 }) {}
/** A client without a user creates an endpoint, which may only receive what its user may read: create it as a user, or in code. */
export class WebhookOwnerMissing extends ApiError.with({ code: 'WEBHOOK_OWNER_MISSING', statusCode: 403 }) {}
/** A user has as many endpoints as `endpointsPerUser` allows. */
export class TooManyWebhookEndpoints extends ApiError.with({ code: 'WEBHOOK_ENDPOINTS_TOO_MANY', statusCode: 422 }) {}

/** A caller requests more messages with `test` and `retry` than `callsPerMinute` allows: wait for the time in `retry-after`. */
export class TooManyWebhookCalls extends ApiError.with({ code: 'WEBHOOK_CALLS_TOO_MANY', statusCode: 429 }) {
  readonly headers: Readonly<Record<string, string>>
  /** @param wait seconds until the next call may be made */
  constructor(message: string, wait: number) {
    super(message)
    this.headers = { 'retry-after': String(wait) }
  }
}

/** A delivery to be sent again is still being sent: wait until it is delivered or dead. */
export class WebhookDeliveryPending extends ApiError.with({ code: 'WEBHOOK_DELIVERY_PENDING', statusCode: 409 }) {}
/** The secret of an endpoint was encrypted with another key: add that key to the option `secret`. */
export class WebhookSecretSealed extends ApiError.with({ code: 'WEBHOOK_SECRET_SEALED', statusCode: 500 }) {}
