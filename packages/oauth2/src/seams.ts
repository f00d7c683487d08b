import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from './clients/client.ts'
import type { OAuthError } from './errors.ts'

/** What a token, code or refresh token stands for. Times are Dates; lifetimes seconds. */
export interface GrantFacts {
  readonly clientId: string
  readonly userId?: unknown
  readonly scopes: readonly string[]
  readonly resources?: readonly string[]
  /** The `grant_type` of the request that began it all. */
  readonly grantType: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** What came from one authorization has one family and is revoked together. */
  readonly family?: string
  /** OpenID Connect: of the authorization request. */
  readonly nonce?: string
  /** When the user logged in. */
  readonly authTime?: Date
}

/** What a user is asked to consent to. */
export interface ConsentRequest {
  readonly transactionId: string
  readonly client: Client
  /** The user's record: `id` and what the application keeps. */
  readonly user: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly redirectUri: string
}

/** Pages and sessions. */
export interface Interaction {
  /** Who is signed in in this browser. */
  signedIn(request: FastifyRequest): Promise<{ readonly userId: unknown; readonly authTime: Date } | undefined>
  /** Sends the browser to log in (loginPage); afterwards it comes back to `returnTo` (a path of this server, checked). */
  askLogin(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<FastifyReply>
  /** Shows the consent dialog: own page, decisionView, or a redirect to decisionPage with LoopBack's query. */
  askConsent(request: FastifyRequest, reply: FastifyReply, ask: ConsentRequest): Promise<FastifyReply>
  /** The error page for what cannot be redirected: HTML for browsers, JSON else. */
  showError(request: FastifyRequest, reply: FastifyReply, error: OAuthError): Promise<FastifyReply>
  /** @throws when the decision form carries no valid CSRF token (not with `decisionPage` in compat 'loopback') */
  checkCsrf(request: FastifyRequest): void
}

/** Signs JWTs with the current key. */
export interface TokenSigner {
  sign(claims: Readonly<Record<string, unknown>>, options: { readonly typ: string }): Promise<string>
  /** The public keys: next, current and previous. */
  jwks(): Promise<{ readonly keys: readonly object[] }>
  readonly algorithm: string
}

/** A token that was found in the store. */
export interface StoredToken extends GrantFacts {
  readonly kind: 'access' | 'refresh'
}

/** Reads and ends what was issued. Values are presented texts; the tables hold hashes. */
export interface TokenStore {
  /** What an access token stands for, also when it has expired; undefined for one that is unknown or revoked. */
  findAccessToken(value: string): Promise<StoredToken | undefined>
  /** Like `findAccessToken`, for an unused refresh token. */
  findRefreshToken(value: string): Promise<StoredToken | undefined>
  /** Ends a token of this client: a refresh token with its family, an access token alone. False when there is none. */
  revoke(value: string, clientId: string): Promise<boolean>
  /**
   * Revokes all tokens and permissions of a user, for one client or for all: for logout and for accounts that are
   * closed.
   */
  revokeUser(userId: unknown, clientId?: string): Promise<void>
}

/** A row of {@link StateStore}. */
export interface StateRow<Data = unknown> {
  readonly data: Data
  /** What `change` compares: `new` for an unchanged row. */
  readonly state: string
  readonly expiresAt: Date
}

/**
 * Small facts that live for a while and change by one conditional update: transactions of consent, device codes, ids of
 * assertions that were used, sessions that were ended. Keys are hashed; `data` is JSON and holds no secrets.
 */
export interface StateStore {
  /** Stores a row; false when this kind has the key already. */
  add(kind: string, key: string, data: unknown, expiresAt: Date): Promise<boolean>
  /** The row, unless it has expired. */
  read(kind: string, key: string): Promise<StateRow | undefined>
  /**
   * Sets state (and data, if provided) if the row is in state `from` and has not expired; true for only one of
   * concurrent callers.
   */
  change(kind: string, key: string, from: string, to: string, data?: unknown): Promise<boolean>
  remove(kind: string, key: string): Promise<void>
}
