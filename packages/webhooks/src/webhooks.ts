import { type CreatedEndpoint, createEndpoint, type EndpointParts } from './endpoints/observe-endpoints.ts'
import type { ModelRegistry } from '@modelwire/core'
import { deliveryModelName } from './models/definitions.ts'
import { type NewSecret, rotateSecret } from './secrets/rotate-secret.ts'
import { sendTest, retryDelivery } from './delivery/attempt-delivery.ts'

/** Webhooks of an application, for its own code: `app.webhooks`. */
export interface Webhooks {
  /**
   * Creates an endpoint: of a user, or without `userId` one that receives everything that is not hidden.
   * @throws {WebhookAddressRefused} webhooks are not sent to its address
   * @throws {WebhookEndpointInvalid} another property cannot be used
   */
  readonly createEndpoint: (data: Readonly<Record<string, unknown>>) => Promise<CreatedEndpoint>
  /**
   * Generates a new secret for an endpoint.
   * @throws {ModelNotFound} there is no such endpoint
   */
  readonly rotateSecret: (endpointId: unknown) => Promise<NewSecret>
  /**
   * Sends a message of the type `webhook.test`; returns the id of its delivery.
   * @throws {ModelNotFound} there is no such endpoint
   */
  readonly sendTest: (endpointId: unknown) => Promise<string>
  /**
   * Sends a dead or delivered delivery again.
   * @throws {ModelNotFound} there is no such delivery
   * @throws {WebhookDeliveryPending} it is still being sent
   */
  readonly retry: (deliveryId: unknown) => Promise<void>
  /** Removes deliveries that were delivered, or dead, before a date; returns their number. */
  readonly purgeDeliveries: (before: Date) => Promise<number>
}

/**
 * Makes the webhook functions for application code.
 * @param rotation seconds
 * @param onDeliveries called when a message should be sent immediately
 */
export function makeWebhooks(parts: EndpointParts, rotation: number, onDeliveries: () => void): Webhooks {
  const { registry } = parts
  return {
    createEndpoint: async (data) => createEndpoint(parts, data),
    rotateSecret: async (endpointId) => rotateSecret(registry, endpointId, rotation),
    sendTest: async (endpointId) => {
      const id = await sendTest(registry, endpointId)
      onDeliveries()
      return id
    },
    retry: async (deliveryId) => {
      await retryDelivery(registry, deliveryId)
      onDeliveries()
    },
    purgeDeliveries: async (before) => purgeDeliveries(registry, before)
  }
}

/** Removes deliveries that were delivered, or dead, before a date; returns their number. */
export async function purgeDeliveries(registry: ModelRegistry, before: Date): Promise<number> {
  return (await registry.get(deliveryModelName).destroyAll({ finishedAt: { lt: before } })).count
}
