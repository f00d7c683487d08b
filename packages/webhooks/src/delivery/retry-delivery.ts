import { ModelNotFound, type ModelRegistry } from '@modelwire/core'
import { WebhookDeliveryPending } from '../errors.ts'
import { deliveryModelName } from '../models/definitions.ts'
import { readDelivery } from '../models/read-delivery.ts'

/**
 * Sends a delivery again that is dead, or was delivered: under the same id, with all attempts that a new one has.
 * @throws {ModelNotFound} there is no such delivery
 * @throws {WebhookDeliveryPending} it is still being sent
 */
export async function retryDelivery(registry: ModelRegistry, id: unknown): Promise<void> {
  const deliveries = registry.get(deliveryModelName)
  const found = await deliveries.findById(id)
  if (found === null) throw new ModelNotFound(`there is no ${deliveryModelName} with the id ${String(id)}`)
  const { attempts } = readDelivery(found)
  const { count } = await deliveries.updateAll(
    { id: found.getId(), state: { inq: ['dead', 'delivered'] } },
    { state: 'pending', firstAttempt: attempts, nextAttemptAt: new Date(), finishedAt: null }
  )
  if (count === 0) throw new WebhookDeliveryPending('the delivery is still being sent')
}
