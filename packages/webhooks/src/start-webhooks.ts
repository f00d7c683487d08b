import { InvalidOption } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'
import { cursorModelName } from './models/definitions.ts'
import type { WebhooksSettings } from './options.ts'
import type { SecretSeal } from './secrets/rotate-secret.ts'
import type { ModelRegistry } from '@modelwire/core'
import { randomUUID } from 'node:crypto'
import { createPoster } from './delivery/post-message.ts'
import { startSender } from './delivery/start-sender.ts'
import { startDispatcher } from './dispatch/start-dispatcher.ts'

/** What runs together with a server. */
export interface Running {
  /** Notifies that there are deliveries to send. */
  readonly wake: () => void
  /** Resolves once messages being sent have been answered. */
  readonly stop: () => Promise<void>
}

/** The dependencies of running webhooks. */
interface RunningParts {
  readonly registry: ModelRegistry
  readonly settings: WebhooksSettings
  readonly log: FastifyBaseLogger
  readonly seal: SecretSeal
}

/** @throws {InvalidOption} deliveries cannot be stored together with the place in the log that they come from */
function checkLogs(registry: ModelRegistry, log: FastifyBaseLogger): void {
  const { dataSource } = registry.typeOf(cursorModelName)
  if (registry.changeLogs.size === 0)
    log.warn('webhooks: no model has a change log: set changeLog, and register @modelwire/changes before webhooks')
  else if (dataSource?.connector.transaction === undefined)
    throw new InvalidOption('the data source of webhooks has no transactions', { key: 'webhooks.dataSource' })
}

/**
 * Reads the logs and sends messages until it is stopped.
 * @throws {InvalidOption} the data source of webhooks has no transactions
 */
export function startWebhooks({ registry, settings, log, seal }: RunningParts): Running {
  checkLogs(registry, log)
  const poster = createPoster(settings, settings.timeout)
  const sender = startSender({ registry, settings, log, seal, poster })
  const holder = randomUUID()
  const parts = { registry, settings, log, holder, onDeliveries: sender.wake }
  const dispatchers = Array.from(registry.changeLogs, ([source, changes]) => startDispatcher(source, changes, parts))
  return {
    wake: sender.wake,
    stop: async () => {
      await Promise.all(dispatchers.map(async ({ stop }) => stop()))
      await sender.stop()
      poster.close()
    }
  }
}

/** Logs which options make webhooks less secure than by default. */
export function warnAboutWeakenedOptions(
  { secret, allowPrivateAddresses }: WebhooksSettings,
  log: Pick<FastifyBaseLogger, 'warn'>
): void {
  if (secret === undefined)
    log.warn('webhooks: secrets of endpoints are stored unencrypted: set the option `secret` to encrypt them')
  if (allowPrivateAddresses)
    log.warn('webhooks: endpoints may be at private addresses: allowPrivateAddresses is only for development')
}
