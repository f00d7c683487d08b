import { checkOptions, fillDefaults, isWithoutListening } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { checkAllowedHosts } from './endpoints/check-address.ts'
import { type EndpointParts, observeEndpoints, showNewSecrets } from './endpoints/observe-endpoints.ts'
import { installModels } from './models/definitions.ts'
import { type WebhooksOptions, WebhooksOptionsSchema, type WebhooksSettings } from './options.ts'
import { createSecretSeal } from './secrets/rotate-secret.ts'
import { type Running, startWebhooks, warnAboutWeakenedOptions } from './start-webhooks.ts'
import { addOperations } from './operations.ts'
import { makeWebhooks, purgeDeliveries, type Webhooks } from './webhooks.ts'

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
 * Sends signed messages about changes to the endpoints of users and administrators. Register it after `changes`, which
 * provides the change log, and after `acl`; and before `rest`.
 * @throws {InvalidOption} an option is unknown or malformed, or the data source of the models is not named, or has no transactions
 */
export const webhooks = fp(plugin, { name: '@modelwire/webhooks', fastify: '5.x', dependencies: ['@modelwire/core'] })
