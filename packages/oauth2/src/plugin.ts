import { checkOptions } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { refuseTokenTypes } from './clients/refuse-token-types.ts'
import { installDevice } from './device/install-device.ts'
import { makeEndpointFunctions } from './endpoints/endpoint-functions.ts'
import { registerEndpoints } from './endpoints/register-endpoints.ts'
import { grantTable } from './grants/grant-table.ts'
import { makeFunctions, makeParts } from './make-parts.ts'
import { makeServerParts } from './make-server-parts.ts'
import { installModels } from './models/install-models.ts'
import { hintReader } from './oidc/id-token-hint.ts'
import { installOpenId } from './oidc/install-oidc.ts'
import { type OAuth2Options, OAuth2OptionsSchema } from './options.ts'
import { installPages } from './pages/install-pages.ts'
import { installKeys, installResource } from './resource/install-resource.ts'
import { resolveSettings } from './settings.ts'
import { endTokensWithTheirReason } from './store/end-tokens.ts'
import { makeIssueToken } from './tokens/issue-in-code.ts'

async function plugin(app: FastifyInstance, rawOptions: OAuth2Options): Promise<void> {
  const options = checkOptions('oauth2', OAuth2OptionsSchema, rawOptions)
  const settings = resolveSettings(options, grantTable)
  const names = installModels(app.models, options)
  const parts = makeParts(app.models, names, settings, app.log)
  app.decorate('oauth2', makeFunctions(parts))
  app.models.addPurge({ name: 'oauth2', run: () => app.oauth2.purgeExpired() })
  endTokensWithTheirReason(parts)
  const signer = await installKeys(app, parts)
  if (options.authorizationServer) {
    if (settings.rules.allowsAllWhenUnlisted)
      app.log.warn("oauth2: compat is 'loopback': clients without grantTypes or scopes may use every grant and scope")
    refuseTokenTypes(app, parts)
    const readHint = hintReader(signer, settings.issuer)
    const { interaction, pages } = await installPages(app, parts, readHint)
    const serverParts = makeServerParts(parts, interaction, signer, readHint)
    await installOpenId(app, serverParts)
    if (pages !== undefined) {
      app.oauth2.sessions = pages.signIns
      await installDevice(app, serverParts, pages)
    }
    app.oauth2.issueToken = makeIssueToken(serverParts)
    app.oauth2.endpoints = makeEndpointFunctions(serverParts)
    await registerEndpoints(app, serverParts)
  }
  if (options.resourceServer) await installResource(app, parts, signer)
}

/** Serves OAuth 2.0. Register it after `modelwire`, and before `rest`. */
export const oauth2 = fp(plugin, { name: '@modelwire/oauth2', fastify: '5.x', dependencies: ['@modelwire/core'] })
