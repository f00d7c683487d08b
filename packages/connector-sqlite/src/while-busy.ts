import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds of the longest pause between two attempts. */
const longestPause = 20

/**
 * Calls `work` until the file is not locked by another process any more, for at most `limit` milliseconds. SQLite's own way
 * of waiting would stop the whole process.
 */
export async function whileBusy<Result>(work: () => Result, limit: number, waited: Waited = start): Promise<Result> {
  const { attempt, end = performance.now() + limit } = waited
  try {
    return work()
  } catch (error) {
    if (!isBusy(error) || performance.now() >= end) throw error
  }
  await pause(Math.min(longestPause, 1 + attempt) * (0.5 + Math.random()))
  return whileBusy(work, limit, { attempt: attempt + 1, end })
}

interface Waited {
  readonly attempt: number
  /** When to give up. */
  readonly end?: number
}

const start: Waited = { attempt: 0 }

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code))
}
