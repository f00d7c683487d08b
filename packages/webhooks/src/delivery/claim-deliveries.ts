import type { ModelRegistry } from '@modelwire/core'
import { deliveryModelName } from '../models/definitions.ts'
import { type Delivery, readDelivery } from '../models/read-delivery.ts'

/** How many deliveries a process can send at the moment. */
export interface Capacity {
  readonly free: number
  /** Endpoints that get no more at the moment. */
  readonly busy: readonly string[]
  /** How many more an endpoint gets. */
  readonly freeFor: (endpointId: string) => number
}

/** What a look for deliveries came to. */
export interface Claimed {
  readonly claimed: readonly Delivery[]
  /** Some were due, whichever process claimed them. */
  readonly wasDue: boolean
}

/** Those of the candidates that fit, in their order. */
function choose(candidates: readonly Delivery[], { free, freeFor }: Capacity): readonly Delivery[] {
  const taken = new Map<string, number>()
  const chosen = candidates.filter(({ endpointId }) => {
    const before = taken.get(endpointId) ?? 0
    taken.set(endpointId, before + 1)
    return before < freeFor(endpointId)
  })
  return chosen.slice(0, free)
}

/**
 * Claims deliveries that are due: each by an update that one process alone can make, and that ends with the claim. What a
 * killed process has claimed is due again then.
 * @param claim milliseconds that a claim holds
 */
export async function claimDeliveries(registry: ModelRegistry, capacity: Capacity, claim: number): Promise<Claimed> {
  const deliveries = registry.get(deliveryModelName)
  const now = new Date()
  const due = { state: 'pending', nextAttemptAt: { lte: now } }
  const { busy } = capacity
  // Other processes look for the same ones: some more make up for what they take.
  const limit = capacity.free * 2
  const found = await deliveries.find({
    where: busy.length === 0 ? due : { ...due, endpointId: { nin: [...busy] } },
    order: ['nextAttemptAt ASC', 'sequence ASC'],
    limit
  })
  const chosen = choose(found.map(readDelivery), capacity)
  const claimed = await Promise.all(
    chosen.map(async (delivery): Promise<Delivery | undefined> => {
      const { id, attempts } = delivery
      const patch = { attempts: attempts + 1, nextAttemptAt: new Date(now.getTime() + claim) }
      const { count } = await deliveries.updateAll({ id, state: 'pending', attempts }, patch)
      return count === 1 ? { ...delivery, attempts: attempts + 1 } : undefined
    })
  )
  return { claimed: claimed.filter((delivery) => delivery !== undefined), wasDue: chosen.length > 0 }
}
