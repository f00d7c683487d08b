/** The argument of `generateToken`. @see loopback-component-oauth2: lib/oauth2-loopback.js */
export interface TokenRequest {
  /** `Authorization Code`, `Implicit`, `Client Credentials`, `Resource Owner Password Credentials`, `Refresh Token`, `JWT`. */
  readonly grant: string
  /** The client's record. */
  readonly client: Readonly<Record<string, unknown>>
  /** The user's record; absent where a code or a refresh token is exchanged. */
  readonly user?: Readonly<Record<string, unknown>> | undefined
  readonly scope: readonly string[]
  /** The authorization code that is exchanged. */
  readonly code?: string | undefined
  readonly redirectURI?: string | undefined
  /** Claims of the assertion of a JWT grant. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** True for the refresh token that is made beside an access token. */
  readonly refreshToken?: boolean | undefined
}

/**
 * Makes a token or code, at once: its value, or an object with the value as `id`, whose other members are added to the token
 * response.
 */
export type GenerateToken = (
  request: TokenRequest
) => string | { readonly id: string; readonly [extra: string]: unknown }

/**
 * Seconds that a token or code lives.
 * @param kind `token` or `code`
 */
export type GetTtl = (
  kind: 'token' | 'code',
  clientId: string,
  userId: unknown,
  scopes: readonly string[],
  more: { readonly grantType: string }
) => number

/** Lifetimes in seconds. */
export interface Lifetimes {
  readonly token?: number
  readonly clientToken?: number
  readonly code?: number
  readonly refreshToken?: number
}

/** The option `ttl`. */
export type TimeToLive = number | Lifetimes | GetTtl
