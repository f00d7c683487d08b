import type { CreatedEndpoint } from './endpoints/create-endpoint.ts'
import type { NewSecret } from './secrets/rotate-secret.ts'

/** Webhooks of an application, for its own code: `app.webhooks`. */
export interface Webhooks {
  /**
   * Creates an endpoint: of a user, or without `userId` one that receives whatever is not hidden.
   * @throws {WebhookAddressRefused} webhooks are not sent to its address
   * @throws {WebhookEndpointInvalid} another property cannot be used
   */
  readonly createEndpoint: (data: Readonly<Record<string, unknown>>) => Promise<CreatedEndpoint>
  /** Gives an endpoint a new secret. @throws {ModelNotFound} there is no such endpoint */
  readonly rotateSecret: (endpointId: unknown) => Promise<NewSecret>
  /** Sends a message of the type `webhook.test`; gives the id of its delivery. @throws {ModelNotFound} there is no such endpoint */
  readonly sendTest: (endpointId: unknown) => Promise<string>
  /**
   * Sends a delivery again that is dead, or was delivered.
   * @throws {ModelNotFound} there is no such delivery
   * @throws {WebhookDeliveryPending} it is still being sent
   */
  readonly retry: (deliveryId: unknown) => Promise<void>
  /** Removes deliveries that were delivered, or dead, before a date; gives how many. */
  readonly purgeDeliveries: (before: Date) => Promise<number>
}
