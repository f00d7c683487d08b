import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionConflict } from './errors.ts'

/** How often something is tried at most, the first time included. */
export const attempts = 6

/** Milliseconds before the second attempt, about; each further one waits about twice as long. */
const firstPause = 8

/**
 * Calls `work` with the number of the attempt, from 1, until it resolves or fails with an error that `shouldRetry` does
 * not accept; by default conflicts are retried.
 */
export async function tryAgain<Result>(
  work: (attempt: number) => Promise<Result>,
  shouldRetry: (error: unknown, attempt: number) => boolean = isConflict,
  attempt = 1
): Promise<Result> {
  try {
    return await work(attempt)
  } catch (error) {
    if (attempt >= attempts || !shouldRetry(error, attempt)) throw error
  }
  // Those that met wait for times as different as possible, so that they do not meet again.
  await sleep(firstPause * 2 ** attempt * Math.random())
  return tryAgain(work, shouldRetry, attempt + 1)
}

const isConflict = (error: unknown): boolean => error instanceof TransactionConflict
