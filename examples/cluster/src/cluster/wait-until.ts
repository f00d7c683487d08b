import { setTimeout as pause } from 'node:timers/promises'
import { ClusterFailed } from './errors.ts'

/** What a look found: an error counts as not yet, and is kept to be told. */
async function findOut(look: () => Promise<boolean>): Promise<{ readonly isDone: boolean; readonly cause?: unknown }> {
  try {
    return { isDone: await look() }
  } catch (cause) {
    return { isDone: false, cause }
  }
}

/** Resolves once `look` gives true; an error of it counts as false. @throws {ClusterFailed} `limit` milliseconds are over */
export async function waitUntil(look: () => Promise<boolean>, what: string, limit = 30_000): Promise<void> {
  const end = performance.now() + limit
  for (;;) {
    const { isDone, cause } = await findOut(look)
    if (isDone) return
    if (performance.now() > end) throw new ClusterFailed(`${what} took more than ${limit / 1000} s`, { cause })
    await pause(100)
  }
}
