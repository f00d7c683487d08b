import { setTimeout as sleep } from 'node:timers/promises'

/** How often something is tried at most, the first time included. */
const attempts = 6

/** Milliseconds before the second attempt, about; each further one waits about twice as long. */
const firstPause = 8

/** Calls `work` with the number of the attempt, from 1, until it resolves or fails for another reason. */
export async function tryAgain<Result>(
  work: (attempt: number) => Promise<Result>,
  isWorthIt: (error: unknown) => boolean,
  attempt = 1
): Promise<Result> {
  try {
    return await work(attempt)
  } catch (error) {
    if (attempt >= attempts || !isWorthIt(error)) throw error
  }
  // Those that met wait for different times, so that they do not meet again.
  await sleep(firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()))
  return tryAgain(work, isWorthIt, attempt + 1)
}
