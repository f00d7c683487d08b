import { Webhook } from 'standardwebhooks'
import { WebhookSecretSealed } from '../errors.ts'
import type { Endpoint } from '../models/read-endpoint.ts'
import type { SecretSeal } from './secret-seal.ts'

/** A message to be signed. */
export interface Message {
  readonly id: string
  readonly payload: string
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
export async function signMessage(
  { id, payload }: Message,
  endpoint: Endpoint,
  { seal, now }: { readonly seal: SecretSeal; readonly now: Date }
): Promise<Readonly<Record<string, string>>> {
  const stored = activeSecrets(endpoint, now)
  if (stored.length === 0) throw new WebhookSecretSealed('the endpoint has no secret: give it one by rotateSecret')
  const secrets = await Promise.all(stored.map(async (one) => seal.open(one)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' ')
  }
}
