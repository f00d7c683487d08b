import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import { type Delivery, type Endpoint, readEndpoint } from '../models/read-endpoint.ts'
import type { WebhooksSettings } from '../options.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { attemptDelivery, type AttemptParts } from './attempt-delivery.ts'
import { claimDeliveries, type Capacity } from './claim-deliveries.ts'
import { releaseNext, keepOutcome, type OutcomeParts } from './keep-outcome.ts'

/** How an endpoint answered the last message from this process: quickly, slowly, or none was sent. */
type Lane = 'quick' | 'slow' | 'new'

/** Endpoints that are remembered: those that were sent to last. */
const mostLanes = 1000

/** Remembers how quickly endpoints answer. */
export class Lanes {
  readonly #known = new Map<string, 'quick' | 'slow'>()
  readonly #quickTime: number

  /** @param quickTime milliseconds in which a quick endpoint answers */
  constructor(quickTime: number) {
    this.#quickTime = quickTime
  }

  /** Records how many milliseconds an endpoint had a message, whatever its response. */
  note(endpointId: string, milliseconds: number): void {
    this.#known.delete(endpointId)
    this.#known.set(endpointId, milliseconds <= this.#quickTime ? 'quick' : 'slow')
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostLanes && oldest !== undefined) this.#known.delete(oldest)
  }

  of(endpointId: string): Lane {
    return this.#known.get(endpointId) ?? 'new'
  }

  /** The known endpoints of a lane. */
  idsIn(lane: 'quick' | 'slow'): readonly string[] {
    return [...this.#known].filter(([, known]) => known === lane).map(([id]) => id)
  }
}

/** Part of the time that an endpoint has for an answer in which a quick one gives it. */
const quickPart = 0.1

/** Counts what is being sent. */
class Sending {
  readonly all = new Set<Promise<void>>()
  readonly #counts = new Map<string, number>()
  readonly #settings: Pick<WebhooksSettings, 'concurrency' | 'concurrencyPerEndpoint'>
  readonly #lanes: Lanes

  constructor(settings: Pick<WebhooksSettings, 'concurrency' | 'concurrencyPerEndpoint' | 'timeout'>) {
    this.#settings = settings
    this.#lanes = new Lanes(settings.timeout * 1000 * quickPart)
  }

  /** Counts `work` until it is over. */
  async add(endpointId: string, work: () => Promise<void>): Promise<void> {
    this.#counts.set(endpointId, this.#of(endpointId) + 1)
    const since = performance.now()
    const working = work()
    this.all.add(working)
    await working
    this.all.delete(working)
    this.#lanes.note(endpointId, performance.now() - since)
    const left = this.#of(endpointId) - 1
    if (left === 0) this.#counts.delete(endpointId)
    else this.#counts.set(endpointId, left)
  }

  #of(endpointId: string): number {
    return this.#counts.get(endpointId) ?? 0
  }

  /** What can be sent beside what is being sent. */
  capacity(): Capacity {
    const { concurrency, concurrencyPerEndpoint: most } = this.#settings
    const left = { ...placesOf(concurrency) }
    for (const [id, count] of this.#counts) left[this.#lanes.of(id)] -= count
    const busy = [...this.#counts].filter(([, count]) => count >= most).map(([id]) => id)
    const taken = new Map<string, number>()
    return {
      free: concurrency - this.all.size,
      excluded: left.slow > 0 ? busy : [...new Set([...busy, ...this.#lanes.idsIn('slow')])],
      only: left.new > 0 ? undefined : [...this.#lanes.idsIn('quick'), ...this.#lanes.idsIn('slow')],
      take: (id) => {
        const lane = this.#lanes.of(id)
        const before = taken.get(id) ?? 0
        if (before + this.#of(id) >= most || left[lane] <= 0) return false
        taken.set(id, before + 1)
        left[lane] -= 1
        return true
      }
    }
  }
}

/** The dependencies of a sender. */
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

/** Sends due deliveries. Any number of processes do so concurrently. */
export function startSender(parts: SenderParts): Loop {
  const { registry, settings, log } = parts
  const sending = new Sending(settings)
  const onError = (error: unknown): void => log.error({ err: error }, 'webhooks: deliveries cannot be read or stored')
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
    onRecovered: () => log.info('webhooks: deliveries can be read and stored again')
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all(sending.all)
    }
  }
}

/**
 * How many of the concurrent messages may go to the endpoints of a lane: slow ones, and those that may be slow, leave the rest to quick ones.
 */
export function placesOf(concurrency: number): Readonly<Record<Lane, number>> {
  const part = (share: number): number => Math.max(1, Math.floor(concurrency * share))
  return { quick: concurrency, slow: part(1 / 4), new: part(1 / 2) }
}
