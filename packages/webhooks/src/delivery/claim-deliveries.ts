import type { ModelRegistry } from '@modelwire/core'
import { deliveryModelName } from '../models/definitions.ts'
import { type Delivery, readDelivery } from '../models/read-endpoint.ts'
import { takeFirstOfEach } from './keep-outcome.ts'

/** How many deliveries a process can currently send. */
export interface Capacity {
  readonly free: number
  /** Endpoints that currently get no more. */
  readonly excluded: readonly string[]
  /** Endpoints that currently get some; undefined: all others. */
  readonly only: readonly string[] | undefined
  /** Takes a slot for a message to an endpoint; false if there is none. */
  readonly take: (endpointId: string) => boolean
}

/** The result of claiming deliveries. */
export interface Claimed {
  readonly claimed: readonly Delivery[]
  /** Some were due, whichever process claimed them, and whether or not they wait for others. */
  readonly wasDue: boolean
}

/** Those of the candidates that fit, in their order. */
function choose(candidates: readonly Delivery[], { free, take }: Capacity): readonly Delivery[] {
  const chosen: Delivery[] = []
  for (const candidate of candidates) if (chosen.length < free && take(candidate.endpointId)) chosen.push(candidate)
  return chosen
}

/** The condition on the endpoints; undefined where all of them get more. */
function whereFor({ excluded, only }: Capacity): object | undefined {
  const inq = only?.filter((id) => !excluded.includes(id))
  if (inq !== undefined) return { inq }
  return excluded.length === 0 ? undefined : { nin: [...excluded] }
}

/**
 * Claims due deliveries: each with an update that only one process can make, and that ends with the claim. Deliveries
 * claimed by a killed process become due again.
 * @param claim milliseconds that a claim holds
 */
export async function claimDeliveries(registry: ModelRegistry, capacity: Capacity, claim: number): Promise<Claimed> {
  const deliveries = registry.get(deliveryModelName)
  const now = new Date()
  const due = { state: 'pending', nextAttemptAt: { lte: now } }
  const endpointId = whereFor(capacity)
  // Other processes look for the same ones: some more make up for what they take.
  const limit = capacity.free * 2
  const found = await deliveries.find({
    where: endpointId === undefined ? due : { ...due, endpointId },
    order: ['nextAttemptAt ASC', 'sequence ASC'],
    limit
  })
  const candidates = found.map(readDelivery)
  const firsts = await takeFirstOfEach(registry, candidates, now)
  const chosen = choose(firsts, capacity)
  const claimed = await Promise.all(
    chosen.map(async (delivery): Promise<Delivery | undefined> => {
      const { id, attempts } = delivery
      const patch = { attempts: attempts + 1, nextAttemptAt: new Date(now.getTime() + claim) }
      const { count } = await deliveries.updateAll({ id, state: 'pending', attempts }, patch)
      return count === 1 ? { ...delivery, attempts: attempts + 1 } : undefined
    })
  )
  return {
    claimed: claimed.filter((delivery) => delivery !== undefined),
    wasDue: chosen.length > 0 || firsts.length < candidates.length
  }
}
