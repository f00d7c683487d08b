import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { makeServerServices, makeServices, type ServerServices } from './container.ts'
import { makeFunctions } from './oauth2-app.ts'
import { type OAuth2Options, OAuth2OptionsSchema } from './options/oauth2-options.ts'
import { resolveSettings } from './options/settings.ts'
import { addPages } from './pages/interaction.ts'
import { protectLocally } from './resource/local-checker.ts'
import { refuseTokenTypes } from './server/clients/client-directory.ts'
import { addEndpoints } from './server/endpoints/endpoints.ts'
import { grantTable } from './server/grants/grant-table.ts'
import { serveKeys } from './server/keys/key-ring.ts'
import { endTokensWithTheirReason } from './server/store/end-tokens.ts'

async function plugin(app: FastifyInstance, rawOptions: OAuth2Options): Promise<void> {
  const options = checkOptions('oauth2', OAuth2OptionsSchema, rawOptions)
  const settings = resolveSettings(options, grantTable)
  const services = await makeServices(app, settings)
  const server = options.authorizationServer ? await makeServerServices(app, services) : undefined
  app.decorate('oauth2', makeFunctions(services, server))
  app.models.addPurge({ name: 'oauth2', run: () => app.oauth2.purgeExpired() })
  endTokensWithTheirReason(services)
  serveKeys(app, services)
  if (server !== undefined) await addServer(app, server)
  if (options.resourceServer) app.oauth2.authenticate = protectLocally(app, services).authenticate
}

/** Adds the pages and endpoints of the authorization server. */
async function addServer(app: FastifyInstance, services: ServerServices): Promise<void> {
  if (services.settings.rules.allowsAllWhenUnlisted)
    app.log.warn("oauth2: compat is 'loopback': clients without grantTypes or scopes may use every grant and scope")
  refuseTokenTypes(app, services)
  await addPages(app, services)
  await addEndpoints(app, services)
}

/** Serves OAuth 2.0. Register it after `modelwire`, and before `rest`. */
export const oauth2 = fp(plugin, { name: '@modelwire/oauth2', fastify: '5.x', dependencies: ['@modelwire/core'] })
