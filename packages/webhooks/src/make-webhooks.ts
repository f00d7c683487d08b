import { sendTest } from './delivery/send-test.ts'
import { retryDelivery } from './delivery/retry-delivery.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import type { EndpointParts } from './endpoints/observe-endpoints.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { rotateSecret } from './secrets/rotate-secret.ts'
import type { Webhooks } from './webhooks.ts'

/**
 * Makes what code of the application can do with webhooks.
 * @param rotation seconds
 * @param onDeliveries called when a message is to be sent at once
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
