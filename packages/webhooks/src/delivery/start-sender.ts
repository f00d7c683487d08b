import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import type { Delivery } from '../models/read-delivery.ts'
import { type Endpoint, readEndpoint } from '../models/read-endpoint.ts'
import type { WebhooksSettings } from '../options.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { attemptDelivery, type AttemptParts } from './attempt-delivery.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { releaseNext } from './keep-order.ts'
import { keepOutcome, type OutcomeParts } from './keep-outcome.ts'
import { Sending } from './sending.ts'

/** What a sender works with. */
export interface SenderParts extends AttemptParts, OutcomeParts {
  readonly settings: OutcomeParts['settings'] &
    Pick<WebhooksSettings, 'concurrency' | 'concurrencyPerEndpoint' | 'interval' | 'timeout'>
}

/** Milliseconds that a claim holds: what it takes to send, and to keep the outcome in a busy database. */
const claimTime = (timeout: number): number => timeout * 2000 + 5000

async function endpointsOf(
  { registry }: SenderParts,
  deliveries: readonly Delivery[]
): Promise<ReadonlyMap<string, Endpoint>> {
  const ids = [...new Set(deliveries.map(({ endpointId }) => endpointId))]
  const found = await registry.get(endpointModelName).find({ where: { id: { inq: ids } } })
  return new Map(found.map((record) => [String(record.getId()), readEndpoint(record)]))
}

/** One attempt, and what becomes of it. */
async function attempt(delivery: Delivery, endpoint: Endpoint | undefined, parts: SenderParts): Promise<void> {
  const { registry, log } = parts
  if (endpoint?.enabled !== true) {
    const error = endpoint === undefined ? 'the endpoint was removed' : 'the endpoint is disabled'
    const patch = { state: 'dead', error, finishedAt: new Date() }
    await registry.get(deliveryModelName).updateAll({ id: delivery.id, state: 'pending' }, patch)
    return
  }
  const outcome = await attemptDelivery(delivery, endpoint, parts)
  const { status, error } = outcome
  if (outcome.result !== 'accepted')
    log.info(
      { delivery: delivery.id, endpoint: endpoint.id, status, reason: error },
      'webhooks: a message was not accepted'
    )
  await keepOutcome(delivery, endpoint, outcome, parts)
}

/** Sends a message, and has the next one about the same record sent where that waited for it. */
async function send(delivery: Delivery, endpoint: Endpoint | undefined, parts: SenderParts): Promise<void> {
  await attempt(delivery, endpoint, parts)
  await releaseNext(parts.registry, delivery)
}

/** Sends deliveries that are due. Any number of processes do so at the same time. */
export function startSender(parts: SenderParts): Loop {
  const { registry, settings, log } = parts
  const sending = new Sending(settings)
  const onError = (error: unknown): void => log.error({ err: error }, 'webhooks: deliveries cannot be read or kept')
  const claim = claimTime(settings.timeout)
  const begin = async (delivery: Delivery, endpoint: Endpoint | undefined): Promise<void> => {
    try {
      await send(delivery, endpoint, parts)
    } catch (error) {
      onError(error)
    }
  }
  const sendApart = async (delivery: Delivery, endpoint: Endpoint | undefined): Promise<void> => {
    await sending.add(delivery.endpointId, async () => begin(delivery, endpoint))
    loop.wake()
  }
  const round = async (): Promise<boolean> => {
    const capacity = sending.capacity()
    if (capacity.free <= 0) return false
    const { claimed, wasDue } = await claimDeliveries(registry, capacity, claim)
    if (claimed.length === 0) return wasDue
    const endpoints = await endpointsOf(parts, claimed)
    for (const delivery of claimed) void sendApart(delivery, endpoints.get(delivery.endpointId))
    return true
  }
  const loop: Loop = startLoop(round, {
    interval: settings.interval,
    onError,
    onRecovered: () => log.info('webhooks: deliveries are read and kept again')
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all(sending.all)
    }
  }
}
