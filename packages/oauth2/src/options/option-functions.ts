/** A user as seen by pages and functions: tokens refer to its `id`. */
export interface UserFacts {
  readonly id: unknown
  readonly [property: string]: unknown
}

/** Returns the user with this name (or email address) and password; undefined if they are wrong. */
export type VerifyUser = (username: string, password: string) => Promise<UserFacts | undefined> | UserFacts | undefined

/** Returns the user with this id. */
export type FindUser = (id: unknown) => Promise<UserFacts | undefined> | UserFacts | undefined

/** Returns the user with this name or email address, for assertions and tokens that are requested on behalf of a user. */
export type FindUserByName = (name: string) => Promise<UserFacts | undefined> | UserFacts | undefined

/** Returns claims of a user for a client with these scopes, in addition to those of the record. `sub` cannot be changed. */
export type UserClaims = (
  user: UserFacts,
  scopes: readonly string[]
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>

/** The argument of `generateToken`. @see loopback-component-oauth2: lib/oauth2-loopback.js */
export interface TokenRequest {
  /** `Authorization Code`, `Implicit`, `Client Credentials`, `Resource Owner Password Credentials`, `Refresh Token`, `JWT`. */
  readonly grant: string
  /** The client's record. */
  readonly client: Readonly<Record<string, unknown>>
  /** The user's record; absent if a code or a refresh token is exchanged. */
  readonly user?: Readonly<Record<string, unknown>> | undefined
  readonly scope: readonly string[]
  /** The authorization code being exchanged. */
  readonly code?: string | undefined
  readonly redirectURI?: string | undefined
  /** Claims of the assertion of a JWT grant. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** True for the refresh token that accompanies an access token. */
  readonly refreshToken?: boolean | undefined
}

/**
 * Generates a token or code, synchronously: its value, or an object with the value as `id`, whose other members are added
 * to the token response.
 */
export type GenerateToken = (
  request: TokenRequest
) => string | { readonly id: string; readonly [extra: string]: unknown }

/**
 * Returns the lifetime of a token or code in seconds.
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
