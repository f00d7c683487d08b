import { randomUUID } from 'node:crypto'
import type { GrantFacts, TokenSigner } from '../seams.ts'

/** Who issues JWT access tokens, and for whom. */
export interface JwtIssuing {
  readonly signer: TokenSigner
  readonly issuer: string
  /** Audience of tokens that were requested without a resource. */
  readonly audience: string
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/**
 * The claims of an access token. `sub` is the user, or the client where it acts for itself.
 * @see RFC 9068 section 2.2
 */
function accessTokenClaims(
  facts: GrantFacts,
  { issuer, audience }: Pick<JwtIssuing, 'issuer' | 'audience'>
): Record<string, unknown> {
  const { clientId, userId, scopes, resources = [], issuedAt, expiresAt, authTime } = facts
  const [first = audience, ...others] = resources
  return {
    iss: issuer,
    sub: String(userId ?? clientId),
    aud: others.length === 0 ? first : resources,
    client_id: clientId,
    iat: seconds(issuedAt),
    exp: seconds(expiresAt),
    jti: randomUUID(),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(authTime === undefined ? {} : { auth_time: seconds(authTime) })
  }
}

/** Makes an access token that can be checked without asking this server. @see RFC 9068 */
export async function signAccessToken(facts: GrantFacts, issuing: JwtIssuing): Promise<string> {
  return issuing.signer.sign(accessTokenClaims(facts, issuing), { typ: 'at+jwt' })
}
