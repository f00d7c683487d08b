/** The ways in which clients prove who they are at the token endpoint. */
export const clientAuthMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const

/** How a client proves who it is at the token endpoint. */
export type ClientAuthMethod = (typeof clientAuthMethods)[number]

/**
 * A client application, read from its record. Empty lists allow codes, refresh tokens and the scopes that the server
 * names; with `compat: 'loopback'` everything.
 */
export interface Client {
  readonly id: string
  readonly name: string
  /** A public client has no secret and must use PKCE. LB3: one of type public with a secret is confidential. */
  readonly isPublic: boolean
  /** The methods that it may use; empty: any that it has credentials for. */
  readonly authMethods: readonly ClientAuthMethod[]
  /** A disabled client gets no tokens, and those that it has are not accepted. */
  readonly isDisabled: boolean
  readonly redirectUris: readonly string[]
  /** Where people may be sent after a logout. */
  readonly postLogoutRedirectUris: readonly string[]
  /** Grants by their `grant_type`; `implicit` for implicit. */
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  readonly scopes: readonly string[]
  /** A PEM public key, or the text of a JWK Set. */
  readonly jwks?: string | undefined
  /** Where its public keys are, where they are not in `jwks`. */
  readonly jwksUri?: string | undefined
  /** The record as the application keeps it, secrets left out. */
  readonly record: Readonly<Record<string, unknown>>
}
