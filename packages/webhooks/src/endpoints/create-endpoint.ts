import { endpointModelName } from '../models/definitions.ts'
import type { StoredRecord } from '../models/stored-record.ts'
import type { EndpointParts } from './observe-endpoints.ts'

/** An endpoint that was just created. */
export interface CreatedEndpoint {
  readonly endpoint: StoredRecord
  /** Not to be read again. */
  readonly secret: string
}

/**
 * Creates an endpoint, of a user or, without `userId`, of the application itself.
 * @throws {WebhookAddressRefused} webhooks are not sent to its address
 * @throws {WebhookEndpointInvalid} another property cannot be used
 */
export async function createEndpoint(
  { registry, newSecrets }: EndpointParts,
  data: Readonly<Record<string, unknown>>
): Promise<CreatedEndpoint> {
  const endpoint = await registry.get(endpointModelName).create({ ...data })
  return { endpoint, secret: newSecrets.get(endpoint) ?? '' }
}
