import type { Delivery } from '../models/read-delivery.ts'
import type { Endpoint } from '../models/read-endpoint.ts'
import type { SecretSeal } from '../secrets/secret-seal.ts'
import { signMessage } from '../secrets/sign-message.ts'
import type { Poster } from './post-message.ts'
import { readRetryAfter } from './retry-pause.ts'

/** How an attempt ended. */
export interface Outcome {
  /** `refused`: the endpoint wants no messages any more. */
  readonly result: 'accepted' | 'failed' | 'refused'
  readonly status: number | undefined
  readonly error: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** What messages are sent by. */
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

/** Sends a message once. It never throws: what went wrong is the outcome. */
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
