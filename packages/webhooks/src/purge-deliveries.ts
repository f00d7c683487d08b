import type { ModelRegistry } from '@modelwire/core'
import { deliveryModelName } from './models/definitions.ts'

/** Removes deliveries that were delivered, or dead, before a date; returns how many. */
export async function purgeDeliveries(registry: ModelRegistry, before: Date): Promise<number> {
  return (await registry.get(deliveryModelName).destroyAll({ finishedAt: { lt: before } })).count
}
