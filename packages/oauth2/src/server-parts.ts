import type { Client } from './clients/client.ts'
import type { VerifyClientAssertion } from './clients/authenticate-client.ts'
import type { VerifyAssertion } from './clients/verify-assertion.ts'
import type { Grant } from './grants/grant.ts'
import type { ReadHint } from './oidc/id-token-hint.ts'
import type { OAuth2Parts } from './parts.ts'
import type { GrantFacts, Interaction, TokenSigner } from './seams.ts'
import type { Issued } from './tokens/issue-token.ts'

/** What the endpoints work with besides the other parts. */
export interface ServerParts extends OAuth2Parts {
  readonly interaction: Interaction
  readonly signer: TokenSigner | undefined
  /** Makes JWT access tokens; undefined where tokens are opaque. */
  readonly signAccessToken?: ((facts: GrantFacts, client: Client) => Promise<string>) | undefined
  /** Proves clients by assertions (`private_key_jwt`). */
  readonly verifyAssertion?: VerifyClientAssertion | undefined
  /** Verifies assertions, for all purposes: the JWT grant uses it, too. */
  readonly verifyJwt: VerifyAssertion
  /** Reads ID tokens that clients send back; undefined where none are issued. */
  readonly readHint?: ReadHint | undefined
  /** Algorithms of assertions. */
  readonly assertionAlgorithms: readonly string[]
  /** Grants of the token endpoint, by `grant_type`, whether or not they are given. */
  readonly grants: Map<string, Grant>
  /** Add members to token responses, such as `id_token`. */
  readonly responseExtras: ((issued: Issued, client: Client) => Promise<Readonly<Record<string, unknown>>>)[]
  /** Further members of the metadata of the server. */
  readonly moreMetadata: Record<string, unknown>
}
