import { isWithoutListening } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { ChangesOptions } from './options.ts'
import { installChanges } from './install-changes.ts'

async function plugin(app: FastifyInstance, options: ChangesOptions): Promise<void> {
  const installed = installChanges(app.models, options, app.log)
  // Commands of an application hear of no changes, and fill no stream: its tables may not even be there.
  if (!isWithoutListening()) app.addHook('onReady', async () => installed.start())
  app.addHook('preClose', async () => installed.stop())
}

/**
 * Reads the database logs of the changes of models with `changeLog: true`, so that streams, caches and webhooks of every
 * process receive them. Register it after `modelwire` and before `rest`.
 * @throws {InvalidOption} an option is unknown or malformed
 */
export const changes = fp(plugin, { name: '@modelwire/changes', fastify: '5.x', dependencies: ['@modelwire/core'] })
