import { createServer, type RequestListener } from 'node:http'
import { generateSigningKey, type SigningKey } from '@modelwire/oauth2'
import type { BenchServer } from '../servers/bench-server.ts'
import { authorization, client, lifetime, type OAuthFacts, resource } from './oauth-facts.ts'

/** What of `oidc-provider` is used: it brings no types. */
type ProviderClass = new (issuer: string, configuration: object) => { callback(): RequestListener }

/** As little switched on as the measured requests need. */
function configurationFor(tokens: 'jwt' | 'opaque', { privateJwk, kid, algorithm }: SigningKey): object {
  const registration = {
    client_id: client.id,
    client_secret: client.secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
    id_token_signed_response_alg: algorithm
  }
  const getResourceServerInfo = async (): Promise<object> => ({
    scope: 'read',
    audience: resource,
    accessTokenTTL: lifetime,
    accessTokenFormat: tokens,
    jwt: { sign: { alg: algorithm } }
  })
  return {
    clients: [registration],
    scopes: ['read'],
    cookies: { keys: ['keys of the benchmark'] },
    jwks: { keys: [{ ...privateJwk, kid, alg: algorithm, use: 'sig' }] },
    ttl: { ClientCredentials: lifetime },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo }
    }
  }
}

/** `oidc-provider` with one client and its own store in memory. */
export async function buildOidcProvider(tokens: 'jwt' | 'opaque'): Promise<BenchServer> {
  const name = 'oidc-provider'
  const module: unknown = await import(name)
  const { default: Provider } = module as { default: ProviderClass } // its only export that is used
  const configuration = configurationFor(tokens, await generateSigningKey('ES256'))
  const provider = new Provider('https://as.example', configuration)
  const server = createServer(provider.callback())
  const facts: OAuthFacts = { tokenPath: '/token', introspectPath: '/token/introspection', authorization }
  return {
    facts,
    listen: () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address()
          resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
        })
      }),
    // Its store keeps the latest thousand entries by itself.
    restore: async () => {},
    close: async () => void server.close()
  }
}
