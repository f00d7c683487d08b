import { defineInstanceOperation, type ModelRegistry } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { deliveryModelName, endpointModelName } from './models/definitions.ts'
import type { Webhooks } from './webhooks.ts'

/** Adds what clients can do with endpoints and deliveries beside reading and changing them. */
export function addOperations(
  registry: ModelRegistry,
  webhooks: Pick<Webhooks, 'sendTest' | 'rotateSecret' | 'retry'>
): void {
  const endpoints = registry.get(endpointModelName)
  defineInstanceOperation(endpoints, {
    name: 'test',
    returns: Type.Object({ deliveryId: Type.String() }),
    returnsSecret: false,
    description: 'Sends a message of the type webhook.test.',
    handler: async (endpoint) => ({ deliveryId: await webhooks.sendTest(endpoint.getId()) })
  })
  defineInstanceOperation(endpoints, {
    name: 'rotateSecret',
    returns: Type.Object({ secret: Type.String(), previousUntil: Type.Unsafe<Date>(Type.String()) }),
    description: 'Gives the endpoint a new secret, which is shown in the answer alone.',
    handler: async (endpoint) => webhooks.rotateSecret(endpoint.getId())
  })
  defineInstanceOperation(registry.get(deliveryModelName), {
    name: 'retry',
    description: 'Sends a delivery again that is dead, or was delivered.',
    handler: async (delivery) => webhooks.retry(delivery.getId())
  })
}
