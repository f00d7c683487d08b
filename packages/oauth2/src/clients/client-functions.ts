import type { Client } from './client.ts'

/** What a new client is made of; absent members take their defaults. */
export interface NewClient {
  readonly id?: string
  readonly name: string
  /** `public`: no secret, PKCE always. */
  readonly type?: 'confidential' | 'public'
  readonly redirectUris?: readonly string[]
  readonly grantTypes?: readonly string[]
  readonly responseTypes?: readonly string[]
  readonly scopes?: readonly string[]
  readonly authMethod?: string
  /** A PEM public key or the text of a JWK Set, for `private_key_jwt`. */
  readonly jwks?: string
}

/** A client with the secret that only its creation and rotation show. */
export interface ClientWithSecret {
  readonly client: Client
  readonly secret?: string
}

/** Manages clients. */
export interface ClientFunctions {
  create(client: NewClient): Promise<ClientWithSecret>
  list(): Promise<readonly Client[]>
  find(id: string): Promise<Client | undefined>
  /** Gives a client a new secret; the old one ends at once. */
  rotateSecret(id: string): Promise<ClientWithSecret>
  /** Removes a client with everything that was issued to it. False when there is none. */
  remove(id: string): Promise<boolean>
}
