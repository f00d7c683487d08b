import type { WebhooksSettings } from '../options.ts'

/** The options that decide when a message is sent again. */
export type RetryRules = Pick<WebhooksSettings, 'retries' | 'jitter' | 'longestRetryAfter'>

/** What a failed attempt was. */
export interface FailedAttempt {
  /** Attempts of this round, with the failed one. */
  readonly attempts: number
  /** Seconds that the endpoint asked for. */
  readonly retryAfter: number | undefined
}

/**
 * Milliseconds until a message is sent again; undefined where it is not.
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

/** The seconds that `Retry-After` asks for; undefined where it is absent or malformed. @see RFC 9110 section 10.2.3 */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000)
}
