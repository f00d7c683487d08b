import type { Client } from '../clients/client.ts'
import type { ServerParts } from '../server-parts.ts'

/** Grants whose tokens can be refreshed. A client that acts for itself has its credentials. @see RFC 6749 section 4.4.3 */
const refreshable: ReadonlySet<string> = new Set([
  'authorization_code',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code'
])

/** True where an access token comes with a refresh token. */
export function mayRefresh({ settings }: ServerParts, client: Client, grantType: string): boolean {
  // LB3: also for client credentials, and whether or not the client may use it; pinned by the recorded pairs.
  if (settings.rules.givesClientsRefreshTokens) return refreshable.has(grantType) || grantType === 'client_credentials'
  const mayUse = client.grantTypes.length === 0 || client.grantTypes.includes('refresh_token')
  return settings.grants.has('refreshToken') && mayUse && refreshable.has(grantType)
}
