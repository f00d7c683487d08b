import type { ClientFunctions } from './clients/client-functions.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Authenticate } from './resource/resource-server.ts'
import type { EndpointFunctions } from './endpoints/endpoint-functions.ts'
import type { Settings } from './settings.ts'
import type { SignIns } from './signed-in.ts'
import type { StateStore, TokenStore } from './seams.ts'
import type { IssueToken } from './tokens/issue-in-code.ts'

/** `app.oauth2`: the functions for applications. The resource server adds `authenticate`. */
export interface OAuth2 {
  readonly settings: Settings
  readonly tokens: TokenStore
  readonly states: StateStore
  readonly clients: ClientFunctions
  /** Ends everything that a user has permitted and what came of it: to one client, or to all. */
  revokeUser(userId: unknown, clientId?: string): Promise<void>
  /** Signs people in and out of browsers, for a login of the application's own; absent without sessions. */
  sessions?: SignIns
  /**
   * Requires a token of requests: of a path, or by the hook that it returns. With `resourceServer: false` it throws
   * `InvalidOption`.
   */
  authenticate: Authenticate
  /** Signing keys, where something is signed. */
  keys?: Pick<KeyRing, 'rotate'>
  /** The endpoints, for routes of your own; absent with `authorizationServer: false`. */
  endpoints?: EndpointFunctions
  /** Issues an access token to code of the application; absent with `authorizationServer: false`. */
  issueToken?: IssueToken
  /** Removes tokens, codes and states that have expired; returns how many. */
  purgeExpired(now?: Date): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The authorization server and the resource server. */
    oauth2: OAuth2
  }
}
