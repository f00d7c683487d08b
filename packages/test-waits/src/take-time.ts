import { setTimeout } from 'node:timers/promises'

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
