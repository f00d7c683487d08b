import { setTimeout as pause } from 'node:timers/promises'
import { ClusterFailed } from './errors.ts'

/** Resolves once `look` gives true; an error of it counts as false. @throws {ClusterFailed} `limit` milliseconds are over */
export async function waitUntil(look: () => Promise<boolean>, what: string, limit = 30_000): Promise<void> {
  const end = performance.now() + limit
  let cause: unknown
  while (performance.now() < end) {
    try {
      if (await look()) return
    } catch (error) {
      cause = error
    }
    await pause(100)
  }
  throw new ClusterFailed(`${what} took more than ${limit / 1000} s`, { cause })
}
