import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { generateSigningKey, oauth2 } from '@modelwire/oauth2'
import Fastify from 'fastify'
import type { BenchServer } from '../servers/bench-server.ts'
import { authorization, client, lifetime, type OAuthFacts, resource } from './oauth-facts.ts'

/** Modelwire's authorization server with one client, in memory. */
export async function buildOAuth2(tokens: 'jwt' | 'opaque'): Promise<BenchServer> {
  const app = Fastify()
  const { privateJwk, kid, algorithm } = await generateSigningKey('ES256')
  await app.register(modelwire, { dataSources: { db: memory() } })
  await app.register(oauth2, {
    issuer: 'https://as.example',
    accessTokens: tokens,
    keys: { jwks: { keys: [{ ...privateJwk, kid, alg: algorithm }] } },
    resources: [resource],
    ttl: { clientToken: lifetime },
    supportedGrantTypes: ['clientCredentials'],
    session: { secret: 'a secret of the benchmark that is long' },
    rateLimit: false
  })
  await app.ready()
  const { id, secret: clientSecret } = client
  const allowed = { grantTypes: ['client_credentials'], scopes: ['read'] }
  await app.models.get('OAuthClientApplication').create({ id, name: id, clientSecret, ...allowed })
  const facts: OAuthFacts = { tokenPath: '/oauth/token', introspectPath: '/oauth/introspect', authorization }
  return {
    facts,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    // Tokens that are asked about stay.
    restore: async () => {
      if (tokens === 'jwt') await app.models.get('OAuthAccessToken').destroyAll()
    },
    close: () => app.close()
  }
}
