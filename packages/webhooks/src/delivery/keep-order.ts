import type { ModelRegistry } from '@modelwire/core'
import { deliveryModelName } from '../models/definitions.ts'
import { type Delivery, readDelivery } from '../models/read-delivery.ts'

/** Milliseconds that a delivery waits at least, unless it is released. */
const shortestWait = 1000

/** The first delivery about a record that is neither accepted nor dead: those behind it wait. */
async function findFirst(registry: ModelRegistry, orderKey: string): Promise<Delivery | undefined> {
  const found = await registry
    .get(deliveryModelName)
    .findOne({ where: { orderKey, state: 'pending' }, order: 'sequence ASC' })
  return found === null ? undefined : readDelivery(found)
}

/**
 * Lets the next delivery about a record be sent at once, where it has waited for one that is over. One that was attempted comes by
 * itself.
 */
export async function releaseNext(registry: ModelRegistry, { id: over, orderKey }: Delivery): Promise<void> {
  const next = orderKey === undefined ? undefined : await findFirst(registry, orderKey)
  if (next === undefined || next.id === over || next.attempts > next.firstAttempt) return
  const { id, attempts } = next
  const now = new Date()
  // A process that claims it meanwhile counts an attempt.
  const waiting = { id, state: 'pending', attempts, nextAttemptAt: { gt: now } }
  await registry.get(deliveryModelName).updateAll(waiting, { nextAttemptAt: now })
}

/** Has deliveries about one record wait for the first one: until it is over, or may be attempted again. */
async function postpone(
  registry: ModelRegistry,
  waiting: readonly Delivery[],
  first: Delivery,
  now: Date
): Promise<void> {
  if (waiting.length === 0) return
  const due = { id: { inq: waiting.map(({ id }) => id) }, state: 'pending', nextAttemptAt: { lte: now } }
  const soonest = now.getTime() + shortestWait
  const nextAttemptAt = new Date(Math.max(first.nextAttemptAt.getTime(), soonest))
  await registry.get(deliveryModelName).updateAll(due, { nextAttemptAt })
  // Who ended the first one in between found nothing that waits.
  await releaseNext(registry, first)
}

/** Deliveries by the record that they are about; those of endpoints without an order are left out. */
function byRecord(deliveries: readonly Delivery[]): ReadonlyMap<string, readonly Delivery[]> {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const { orderKey } = delivery
    if (orderKey !== undefined) groups.set(orderKey, [...(groups.get(orderKey) ?? []), delivery])
  }
  return groups
}

/**
 * Those of due deliveries that no other one about the same record comes before; the others are postponed. New deliveries are stored
 * in the order of the log, so that what comes before one is known once it is there.
 */
export async function takeFirstOfEach(
  registry: ModelRegistry,
  due: readonly Delivery[],
  now: Date
): Promise<readonly Delivery[]> {
  const waiting = new Set<Delivery>()
  const look = async ([orderKey, group]: readonly [string, readonly Delivery[]]): Promise<void> => {
    const first = await findFirst(registry, orderKey)
    if (first === undefined) return
    const behind = group.filter(({ id }) => id !== first.id)
    for (const delivery of behind) waiting.add(delivery)
    await postpone(registry, behind, first, now)
  }
  await Promise.all(Array.from(byRecord(due), look))
  return due.filter((delivery) => !waiting.has(delivery))
}
