import type { FastifyInstance } from 'fastify'
import { fillDefaults } from '../definition/fill-defaults.ts'
import { CoreOptionsSchema } from '../options.ts'
import type { ModelRegistry } from '../registry.ts'
import { type RunningPurges, runPurges } from './run-purges.ts'

/**
 * Opens the shared state before the server is ready, and removes what is over from time to time.
 * @param interval seconds between two removals; 0: never
 * @returns ends both
 */
export function serveSharedState(
  app: FastifyInstance,
  registry: ModelRegistry,
  interval?: number
): () => Promise<void> {
  const { shared, purges } = registry
  const { purgeInterval } = fillDefaults(CoreOptionsSchema, interval === undefined ? {} : { purgeInterval: interval })
  let running: RunningPurges | undefined
  app.addHook('onReady', async () => {
    await shared.open(app.log)
    running = runPurges({ shared, purges, interval: purgeInterval * 1000, log: app.log })
  })
  return async () => {
    await running?.stop()
    await shared.close()
  }
}
