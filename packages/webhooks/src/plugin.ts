import { checkOptions, fillDefaults, isWithoutListening } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { addOperations } from './add-operations.ts'
import { checkAllowedHosts } from './endpoints/check-address.ts'
import { type EndpointParts, observeEndpoints, showNewSecrets } from './endpoints/observe-endpoints.ts'
import { makeWebhooks } from './make-webhooks.ts'
import { installModels } from './models/install-models.ts'
import { type WebhooksOptions, WebhooksOptionsSchema, type WebhooksSettings } from './options.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { createSecretSeal } from './secrets/secret-seal.ts'
import { type Running, startWebhooks } from './start-webhooks.ts'
import { warnAboutWeakenedOptions } from './warn-about-weakened-options.ts'
import type { Webhooks } from './webhooks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates endpoints, replaces their secrets, sends messages again. */
    webhooks: Webhooks
  }
}

async function plugin(app: FastifyInstance, rawOptions: WebhooksOptions): Promise<void> {
  const settings: WebhooksSettings = fillDefaults(
    WebhooksOptionsSchema,
    checkOptions('webhooks', WebhooksOptionsSchema, rawOptions)
  )
  checkAllowedHosts(settings)
  const registry = app.models
  const seal = createSecretSeal([settings.secret ?? []].flat())
  const parts: EndpointParts = { registry, seal, rules: settings, newSecrets: new WeakMap() }
  installModels(registry, settings.dataSource)
  observeEndpoints(parts)
  showNewSecrets(parts)
  warnAboutWeakenedOptions(settings, app.log)
  let running: Running | undefined
  const webhooks = makeWebhooks(parts, settings.rotation, () => running?.wake())
  addOperations(registry, webhooks, settings)
  app.decorate('webhooks', webhooks)
  // Commands and tests of an application send nothing.
  if (!settings.run || isWithoutListening()) return
  const purge = async (): Promise<unknown> => purgeDeliveries(registry, new Date(Date.now() - settings.keep * 1000))
  registry.addPurge({ name: 'webhook deliveries', run: purge })
  app.addHook('onReady', async () => {
    running = startWebhooks({ registry, settings, log: app.log, seal })
  })
  app.addHook('onClose', async () => running?.stop())
}

/**
 * Sends signed messages of changes to the endpoints of users and administrators. Register it after `changes`, which keeps the
 * log of changes, and after `acl`; and before `rest`.
 * @throws {InvalidOption} an option is unknown or malformed, or the data source of the models is not named, or has no transactions
 */
export const webhooks = fp(plugin, { name: '@modelwire/webhooks', fastify: '5.x', dependencies: ['@modelwire/core'] })
