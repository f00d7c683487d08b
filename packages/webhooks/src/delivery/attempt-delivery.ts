import { type Delivery, readDelivery, type Endpoint } from '../models/read-endpoint.ts'
import type { SecretSeal } from '../secrets/rotate-secret.ts'
import type { Poster } from './post-message.ts'
import { readRetryAfter } from './keep-outcome.ts'
import { ModelNotFound, type ModelRegistry } from '@modelwire/core'
import { WebhookDeliveryPending, WebhookSecretSealed } from '../errors.ts'
import { deliveryModelName, endpointModelName } from '../models/definitions.ts'
import { Webhook } from 'standardwebhooks'
import { randomUUID } from 'node:crypto'

/**
 * Generates the id of a new message, shared by all attempts to send it.
 * @see Standard Webhooks, webhook-id
 */
export const makeMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** A message to be signed. */
interface Message {
  readonly id: string
  readonly payload: string
}

/** How an attempt ended. */
export interface Outcome {
  /** `refused`: the endpoint does not want any more messages. */
  readonly result: 'accepted' | 'failed' | 'refused'
  readonly status: number | undefined
  readonly error: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** The dependencies for sending messages. */
export interface AttemptParts {
  readonly poster: Poster
  readonly seal: SecretSeal
}

const userAgent = 'Modelwire-Webhooks'

/** Why nothing was answered, in short: the code of a system error, or the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time'
  return error.message.slice(0, 200)
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300

/** Sends a message once. It never throws: errors are part of the outcome. */
export async function attemptDelivery(
  { id, payload }: Delivery,
  endpoint: Endpoint,
  { poster, seal }: AttemptParts
): Promise<Outcome> {
  const now = new Date()
  try {
    const signed = await signMessage({ id, payload }, endpoint, { seal, now })
    const { status, retryAfter } = await poster.post({
      address: endpoint.url,
      headers: { 'user-agent': userAgent, ...endpoint.headers, 'content-type': 'application/json', ...signed },
      body: payload
    })
    if (isAccepted(status)) return { result: 'accepted', status, error: undefined, retryAfter: undefined }
    const result = status === 410 ? 'refused' : 'failed'
    return { result, status, error: `answered ${status}`, retryAfter: readRetryAfter(retryAfter, now) }
  } catch (error) {
    return { result: 'failed', status: undefined, error: reasonOf(error), retryAfter: undefined }
  }
}

/**
 * Sends a dead or delivered delivery again: with the same id, and as many attempts as a new one.
 * @throws {ModelNotFound} there is no such delivery
 * @throws {WebhookDeliveryPending} it is still being sent
 */
export async function retryDelivery(registry: ModelRegistry, id: unknown): Promise<void> {
  const deliveries = registry.get(deliveryModelName)
  const found = await deliveries.findById(id)
  if (found === null) throw new ModelNotFound(`no ${deliveryModelName} has the id ${String(id)}`)
  const { attempts } = readDelivery(found)
  const { count } = await deliveries.updateAll(
    { id: found.getId(), state: { inq: ['dead', 'delivered'] } },
    { state: 'pending', firstAttempt: attempts, nextAttemptAt: new Date(), finishedAt: null }
  )
  if (count === 0) throw new WebhookDeliveryPending('the delivery is still being sent')
}

/**
 * Makes a delivery of the type `webhook.test` for an endpoint, and returns its id.
 * @throws {ModelNotFound} there is no such endpoint
 */
export async function sendTest(registry: ModelRegistry, endpointId: unknown): Promise<string> {
  const endpoint = await registry.get(endpointModelName).findById(endpointId)
  if (endpoint === null) throw new ModelNotFound(`no ${endpointModelName} has the id ${String(endpointId)}`)
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

/** The stored secrets that sign at a time: for a while after it was replaced the one before, too. */
function activeSecrets({ secret, previousSecret, previousSecretUntil }: Endpoint, now: Date): readonly string[] {
  const isPreviousActive = previousSecretUntil !== undefined && previousSecretUntil > now
  return [secret, isPreviousActive ? previousSecret : undefined].filter((each) => each !== undefined)
}

/**
 * The headers that prove to an endpoint who sends a message, and when.
 * @throws {WebhookSecretSealed} a stored secret cannot be decrypted, or there is none
 * @see Standard Webhooks, webhook headers
 */
async function signMessage(
  { id, payload }: Message,
  endpoint: Endpoint,
  { seal, now }: { readonly seal: SecretSeal; readonly now: Date }
): Promise<Readonly<Record<string, string>>> {
  const stored = activeSecrets(endpoint, now)
  if (stored.length === 0) throw new WebhookSecretSealed('the endpoint has no secret: create one with rotateSecret')
  const secrets = await Promise.all(stored.map(async (one) => seal.open(one)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' ')
  }
}
