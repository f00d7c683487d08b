import type { Client } from '../clients/client.ts'
import type { Settings } from '../settings.ts'

/** The facts of a grant, apart from how its tokens are issued. */
export interface GrantKind {
  /** `grant_type`, or the name that stands for it in tokens. */
  readonly type: string
  /** What loopback-component-oauth2 calls it, which `generateToken` receives. */
  readonly title: string
  /** True: `supportedGrantTypes` has it when absent. */
  readonly isDefault: boolean
  /** `isDefault` for `compat: 'loopback'`. */
  readonly isLoopbackDefault: boolean
  /** True: its access tokens come with a refresh token. A client that acts for itself has its credentials. @see RFC 6749 section 4.4.3 */
  readonly isRefreshable: boolean
  /** `isRefreshable` for `compat: 'loopback'`; pinned by the recorded pairs. */
  readonly isLoopbackRefreshable: boolean
  /** True: a user took part in a browser, and gets an ID token. */
  readonly isInteractive: boolean
  /** True: its tokens live as long as `ttl.clientToken` says. */
  readonly isForClient: boolean
}

const shared = {
  isDefault: true,
  isLoopbackDefault: true,
  isRefreshable: true,
  isLoopbackRefreshable: true,
  isInteractive: false,
  isForClient: false
}

/** The facts of a grant: those that are left out are those of most grants. */
export const makeGrantKind = (facts: Pick<GrantKind, 'type' | 'title'> & Partial<GrantKind>): GrantKind => ({
  ...shared,
  ...facts
})

/** The `grant_type` of codes. */
export const codeGrantType = 'authorization_code'

/** The scope that asks for a refresh token. @see OpenID Connect Core 1.0, section 11 */
export const offlineScope = 'offline_access'

/** The `grant_type` that a client must be allowed to use for getting refresh tokens. */
export const refreshGrantType = 'refresh_token'

/**
 * True when the client may use the grant; one that is registered for none may use codes and refresh tokens.
 * @see RFC 7591 section 2, grant_types
 */
export function mayUseGrant({ rules }: Pick<Settings, 'rules'>, { grantTypes }: Client, type: string): boolean {
  if (grantTypes.length > 0) return grantTypes.includes(type)
  return rules.allowsAllWhenUnlisted || type === codeGrantType || type === refreshGrantType
}

/** True where an access token of the grant comes with a refresh token. */
export function mayRefresh(
  settings: Pick<Settings, 'rules' | 'grantTypes'>,
  client: Client,
  { isRefreshable, isLoopbackRefreshable }: GrantKind
): boolean {
  // LB3: whether or not the client may use it; pinned by the recorded pairs.
  if (settings.rules.givesClientsRefreshTokens) return isLoopbackRefreshable
  return settings.grantTypes.has(refreshGrantType) && mayUseGrant(settings, client, refreshGrantType) && isRefreshable
}
