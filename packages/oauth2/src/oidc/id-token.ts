import type { TokenSigner } from '../seams.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { atHash } from './at-hash.ts'

/** What ID tokens are made with. */
export interface IdTokenMaker {
  readonly signer: TokenSigner
  readonly issuer: string
  /** Seconds. */
  readonly lifetime: number
}

/**
 * The ID token that goes with an access token; undefined where the client did not request `openid`, or no user took
 * part.
 * @see OpenID Connect Core 1.0 sections 2, 3.1.3.3 and 12.2
 */
export async function makeIdToken(
  { signer, issuer, lifetime }: IdTokenMaker,
  { grant, facts, accessToken }: Issued
): Promise<string | undefined> {
  const { clientId, userId, scopes, nonce, authTime, issuedAt } = facts
  if (userId === undefined || !scopes.includes('openid') || !grant.isInteractive) return undefined
  const now = Math.floor(issuedAt.getTime() / 1000)
  const claims = {
    iss: issuer,
    sub: String(userId),
    aud: clientId,
    exp: now + lifetime,
    iat: now,
    ...(authTime === undefined ? {} : { auth_time: Math.floor(authTime.getTime() / 1000) }),
    ...(nonce === undefined ? {} : { nonce }),
    at_hash: atHash(accessToken, signer.algorithm)
  }
  return signer.sign(claims, { typ: 'JWT' })
}
