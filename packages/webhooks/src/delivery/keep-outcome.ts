import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger } from 'fastify'
import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import type { Delivery } from '../models/read-delivery.ts'
import type { Endpoint } from '../models/read-endpoint.ts'
import type { WebhooksSettings } from '../options.ts'
import type { Outcome } from './attempt-delivery.ts'
import { type RetryRules, retryPause } from './retry-pause.ts'

/** What outcomes are kept by. */
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

/** Keeps what became of an attempt, unless its claim has ended and another process has made one since. */
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
