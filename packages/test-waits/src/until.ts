import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks. */
const interval = 5

/** Shorter than a test may take, so that the message names the condition. A slow machine gets more time. */
const defaultLimit = 20_000 * Number(process.env['TEST_TIME_SCALE'] ?? 1)

/**
 * Resolves with what `look` returns, once that is anything but false, null or undefined. Looks again every 5 ms.
 *
 * @param what completes the message "Timed out after 20000 ms waiting for …"; a function can include what was seen last
 * @param limit milliseconds
 * @throws {Error} the limit is over, or what `look` throws
 */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  what: string | (() => string),
  limit: number = defaultLimit
): Promise<Exclude<Found, false | null | undefined>> {
  const end = performance.now() + limit
  for (;;) {
    const found = await look()
    if (isFound(found)) return found
    if (performance.now() >= end) break
    await setTimeout(interval)
  }
  throw new Error(`Timed out after ${limit} ms waiting for ${typeof what === 'string' ? what : what()}`)
}

function isFound<Found>(found: Found): found is Exclude<Found, false | null | undefined> {
  return found !== false && found !== null && found !== undefined
}
