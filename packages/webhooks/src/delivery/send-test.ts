import { ModelNotFound, type ModelRegistry } from '@modelwire/core'
import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import { makeMessageId } from './make-message-id.ts'

/**
 * Makes a delivery of the type `webhook.test` for an endpoint, and returns its id.
 * @throws {ModelNotFound} there is no such endpoint
 */
export async function sendTest(registry: ModelRegistry, endpointId: unknown): Promise<string> {
  const endpoint = await registry.get(endpointModelName).findById(endpointId)
  if (endpoint === null) throw new ModelNotFound(`there is no ${endpointModelName} with the id ${String(endpointId)}`)
  const now = new Date()
  const id = makeMessageId()
  const type = 'webhook.test'
  await registry.get(deliveryModelName).create({
    id,
    endpointId: endpoint.getId(),
    userId: endpoint.toObject()['userId'],
    sequence: 0,
    type,
    payload: JSON.stringify({ type, timestamp: now.toISOString(), data: {} }),
    state: 'pending',
    nextAttemptAt: now
  })
  return id
}
