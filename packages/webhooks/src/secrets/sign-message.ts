import { Webhook } from 'standardwebhooks'
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
 * @throws {WebhookSecretSealed} a stored secret cannot be decrypted
 * @see Standard Webhooks, webhook headers
 */
export async function signMessage(
  { id, payload }: Message,
  endpoint: Endpoint,
  { seal, now }: { readonly seal: SecretSeal; readonly now: Date }
): Promise<Readonly<Record<string, string>>> {
  const secrets = await Promise.all(activeSecrets(endpoint, now).map(async (stored) => seal.open(stored)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' ')
  }
}
