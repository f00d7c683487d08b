import type { OAuth2Settings } from './oauth2-options.ts'
import type { Settings } from './settings.ts'

/** The grants that a client is registered for. */
interface Grantee {
  readonly grantTypes: readonly string[]
}

/** The facts of a grant, apart from how its tokens are issued. */
export interface GrantKind {
  /** `grant_type`, or the corresponding name in tokens. */
  readonly type: string
  /** Its name in loopback-component-oauth2, which `generateToken` receives. */
  readonly title: string
  /** True: `supportedGrantTypes` includes it by default. */
  readonly isDefault: boolean
  /** `isDefault` for `compat: 'loopback'`. */
  readonly isLoopbackDefault: boolean
  /**
   * True: its access tokens come with a refresh token. A client that acts for itself can use its credentials.
   * @see RFC 6749 section 4.4.3
   */
  readonly isRefreshable: boolean
  /** `isRefreshable` for `compat: 'loopback'`; pinned by the recorded pairs. */
  readonly isLoopbackRefreshable: boolean
  /** True: it involves a user with a browser, who gets an ID token. */
  readonly isInteractive: boolean
  /** True: `ttl.clientToken` is the lifetime of its tokens. */
  readonly isForClient: boolean
  /** Whether the server supports it with these options; always when absent. */
  readonly canBeGiven?: (options: OAuth2Settings) => boolean
}

const shared = {
  isDefault: true,
  isLoopbackDefault: true,
  isRefreshable: true,
  isLoopbackRefreshable: true,
  isInteractive: false,
  isForClient: false
}

/** Makes a grant's facts, with defaults that apply to most grants. */
export const makeGrantKind = (facts: Pick<GrantKind, 'type' | 'title'> & Partial<GrantKind>): GrantKind => ({
  ...shared,
  ...facts
})

/** The `grant_type` of codes. */
export const codeGrantType = 'authorization_code'

/** The `grant_type` of devices. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * The scope that requests a refresh token.
 * @see OpenID Connect Core 1.0, section 11
 */
export const offlineScope = 'offline_access'

/** The `grant_type` that a client must be allowed to use to get refresh tokens. */
export const refreshGrantType = 'refresh_token'

/**
 * True if the client may use the grant; one without registered grants may use codes and refresh tokens.
 * @see RFC 7591 section 2, grant_types
 */
export function mayUseGrant({ rules }: Pick<Settings, 'rules'>, { grantTypes }: Grantee, type: string): boolean {
  if (grantTypes.length > 0) return grantTypes.includes(type)
  return rules.allowsAllWhenUnlisted || type === codeGrantType || type === refreshGrantType
}

/** True if an access token of the grant comes with a refresh token. */
export function mayRefresh(
  settings: Pick<Settings, 'rules' | 'grantTypes'>,
  client: Grantee,
  { isRefreshable, isLoopbackRefreshable }: GrantKind
): boolean {
  // LB3: whether or not the client may use it; pinned by the recorded pairs.
  if (settings.rules.givesClientsRefreshTokens) return isLoopbackRefreshable
  return settings.grantTypes.has(refreshGrantType) && mayUseGrant(settings, client, refreshGrantType) && isRefreshable
}
