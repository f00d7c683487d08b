import type { FastifyInstance } from 'fastify'
import type { SharedState } from './shared-state/shared-state.ts'
import { type Purge, type RunningPurges, runPurges } from './purges/run-purges.ts'

/** What of a registry is served. */
export interface SharingRegistry {
  readonly shared: SharedState
  readonly purges: readonly Purge[]
}

/**
 * Opens the shared state before the server is ready, and removes what is over from time to time.
 * @param interval seconds between two removals; 0: never
 * @returns ends both
 */
export function serveSharedState(
  app: FastifyInstance,
  { shared, purges }: SharingRegistry,
  interval: number
): () => Promise<void> {
  let running: RunningPurges | undefined
  app.addHook('onReady', async () => {
    await shared.open(app.log)
    running = runPurges({ shared, purges, interval: interval * 1000, log: app.log })
  })
  return async () => {
    await running?.stop()
    await shared.close()
  }
}
