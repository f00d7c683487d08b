import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger } from 'fastify'
import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import { type Delivery, readDelivery, type Endpoint } from '../models/read-endpoint.ts'
import type { WebhooksSettings } from '../options.ts'
import type { Outcome } from './attempt-delivery.ts'

/** The options that decide when a message is sent again. */
type RetryRules = Pick<WebhooksSettings, 'retries' | 'jitter' | 'longestRetryAfter'>

/** The facts of a failed attempt. */
interface FailedAttempt {
  /** Attempts of this round, including the failed one. */
  readonly attempts: number
  /** Seconds requested by the endpoint. */
  readonly retryAfter: number | undefined
}

/** Milliseconds that a delivery waits at least, unless it is released. */
const shortestWait = 1000

/** The dependencies for storing outcomes. */
export interface OutcomeParts {
  readonly registry: ModelRegistry
  readonly settings: RetryRules & Pick<WebhooksSettings, 'disableAfter'>
  readonly log: FastifyBaseLogger
}

/** What an outcome changes in its delivery. */
function patchFor({ attempts, firstAttempt }: Delivery, outcome: Outcome, settings: RetryRules): object {
  const { result, status = null, error = null, retryAfter } = outcome
  const now = new Date()
  const facts = { status, error }
  if (result === 'accepted') return { ...facts, state: 'delivered', finishedAt: now }
  const pause = retryPause({ attempts: attempts - firstAttempt, retryAfter }, settings)
  return result === 'refused' || pause === undefined
    ? { ...facts, state: 'dead', finishedAt: now }
    : { ...facts, nextAttemptAt: new Date(now.getTime() + pause) }
}

async function disable({ id }: Endpoint, disabledReason: string, { registry, log }: OutcomeParts): Promise<void> {
  const { count } = await registry
    .get(endpointModelName)
    .updateAll({ id, enabled: true }, { enabled: false, disabledReason })
  if (count > 0) log.warn({ endpoint: id }, `webhooks: an endpoint is disabled: ${disabledReason}`)
}

/** Notes since when an endpoint fails, and disables it after a long time. */
async function keepFailure(endpoint: Endpoint, parts: OutcomeParts): Promise<void> {
  const { id, failingSince } = endpoint
  const { disableAfter } = parts.settings
  if (failingSince === undefined)
    await parts.registry.get(endpointModelName).updateAll({ id, failingSince: null }, { failingSince: new Date() })
  else if (disableAfter !== false && Date.now() - failingSince.getTime() > disableAfter * 1000)
    await disable(endpoint, `no message was accepted since ${failingSince.toISOString()}`, parts)
}

async function keepForEndpoint(endpoint: Endpoint, { result }: Outcome, parts: OutcomeParts): Promise<void> {
  if (result === 'refused') return disable(endpoint, 'it answered 410', parts)
  if (result === 'failed') return keepFailure(endpoint, parts)
  if (endpoint.failingSince !== undefined)
    await parts.registry.get(endpointModelName).updateAll({ id: endpoint.id }, { failingSince: null })
  return undefined
}

/** Stores the outcome of an attempt, unless its claim has expired and another process has attempted it since. */
export async function keepOutcome(
  delivery: Delivery,
  endpoint: Endpoint | undefined,
  outcome: Outcome,
  parts: OutcomeParts
): Promise<void> {
  const { id, attempts } = delivery
  const patch = patchFor(delivery, outcome, parts.settings)
  await parts.registry.get(deliveryModelName).updateAll({ id, state: 'pending', attempts }, patch)
  if (endpoint !== undefined) await keepForEndpoint(endpoint, outcome, parts)
}

/** The first delivery about a record that is neither accepted nor dead: those behind it wait. */
async function findFirst(registry: ModelRegistry, orderKey: string): Promise<Delivery | undefined> {
  const found = await registry
    .get(deliveryModelName)
    .findOne({ where: { orderKey, state: 'pending' }, order: 'sequence ASC' })
  return found === null ? undefined : readDelivery(found)
}

/**
 * Lets the next delivery about a record be sent at once, if it has waited for one that is over. One that was already
 * attempted follows its own schedule.
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
 * Due deliveries that no other one about the same record precedes; the others are postponed. New deliveries are stored in
 * the order of the log, so that all predecessors of a delivery are known once it exists.
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

/**
 * Milliseconds until a message is sent again; undefined if it is not.
 * @param random from 0 to 1
 * @see Standard Webhooks, deliverability and reliability
 */
export function retryPause(
  { attempts, retryAfter = 0 }: FailedAttempt,
  { retries, jitter, longestRetryAfter }: RetryRules,
  random: () => number = Math.random
): number | undefined {
  const pause = retries[attempts - 1]
  if (pause === undefined) return undefined
  const spread = pause * (1 + jitter * random())
  return Math.round(Math.max(spread, Math.min(retryAfter, longestRetryAfter)) * 1000)
}

/**
 * The seconds requested by `Retry-After`; undefined if it is absent or malformed.
 * @see RFC 9110 section 10.2.3
 */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000)
}
