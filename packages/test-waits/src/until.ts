import { setTimeout } from 'node:timers/promises'

/** How often a property is tried where nothing asks for more. */
const usual = 100

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

/**
 * How often to try a property: `count` where all runs are asked for, at most 100 otherwise. `pnpm test:long` and
 * `TEST_SEED=random` ask for all.
 */
export function runs(count: number): number {
  return process.env['TEST_RUNS'] === 'all' ? count : Math.min(count, usual)
}

/**
 * Takes a fixed time where the time itself is meant: load that goes on for so long, or a peer that is slow on purpose.
 * To wait for something to happen, use `until` or await an event.
 *
 * @param why what the time is for, for readers
 */
export async function takeTime(milliseconds: number, why: string): Promise<void> {
  if (why === '') throw new TypeError('takeTime needs a reason')
  await setTimeout(milliseconds)
}
