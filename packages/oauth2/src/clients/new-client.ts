import type { ClientAuthMethod } from './client.ts'

/** What a new client is made of; absent members take their defaults. */
export interface NewClient {
  /** Made by the server when absent. */
  readonly id?: string
  readonly name: string
  /** `public`: no secret, PKCE always. `confidential` when absent. */
  readonly type?: 'confidential' | 'public'
  readonly redirectUris?: readonly string[]
  /** Where users may be redirected after a logout, where ID tokens are issued. */
  readonly postLogoutRedirectUris?: readonly string[]
  /** Values of `grant_type`, or `implicit`; codes and refresh tokens when absent. */
  readonly grantTypes?: readonly string[]
  /** `code`, `token`; those of its grants when absent. */
  readonly responseTypes?: readonly string[]
  /** Those that the server names when absent. */
  readonly scopes?: readonly string[]
  /** The one way to authenticate; any that the client has credentials for when absent. */
  readonly authMethod?: ClientAuthMethod
  /** A PEM public key or the text of a JWK Set, for `private_key_jwt` and the JWT grant. */
  readonly jwks?: string
  /** Instead: where the JWK Set is, by https. */
  readonly jwksUri?: string
  /** Further properties of the record, such as `logoURI`. */
  readonly record?: Readonly<Record<string, unknown>>
}
