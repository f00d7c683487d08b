/** The facts of a grant, apart from how its tokens are issued. */
interface GrantKind {
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
}

const shared = { isDefault: true, isLoopbackDefault: true, isRefreshable: true, isLoopbackRefreshable: true } as const
const neverRefreshed = { isRefreshable: false, isLoopbackRefreshable: false } as const

const kinds = {
  authorizationCode: { ...shared, type: 'authorization_code', title: 'Authorization Code', isInteractive: true },
  implicit: {
    ...shared,
    ...neverRefreshed,
    type: 'implicit',
    title: 'Implicit',
    isDefault: false,
    isInteractive: false
  },
  clientCredentials: {
    ...shared,
    type: 'client_credentials',
    title: 'Client Credentials',
    isRefreshable: false,
    isInteractive: false
  },
  resourceOwnerPasswordCredentials: {
    ...shared,
    type: 'password',
    title: 'Resource Owner Password Credentials',
    isDefault: false,
    isInteractive: false
  },
  refreshToken: { ...shared, type: 'refresh_token', title: 'Refresh Token', isInteractive: true },
  jwt: {
    ...shared,
    ...neverRefreshed,
    type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    title: 'JWT',
    isInteractive: false
  },
  deviceCode: {
    ...shared,
    type: 'urn:ietf:params:oauth:grant-type:device_code',
    title: 'urn:ietf:params:oauth:grant-type:device_code',
    isLoopbackDefault: false,
    isInteractive: true
  }
} as const satisfies Readonly<Record<string, GrantKind>>

/** A grant as `supportedGrantTypes` lists it. */
export type GrantName = keyof typeof kinds

/** All grants, by their names in `supportedGrantTypes`. */
export const grantKinds: Readonly<Record<GrantName, GrantKind>> = kinds

// The keys are those of the object above.
/** The names of all grants. */
export const grantNames = Object.keys(kinds) as readonly GrantName[]

const byType: ReadonlyMap<string, GrantKind> = new Map(Object.values(kinds).map((kind) => [kind.type, kind]))

/** The grant with this `grant_type`; undefined for one that this server does not have. */
export function grantKindOf(type: string): GrantKind | undefined {
  return byType.get(type)
}
