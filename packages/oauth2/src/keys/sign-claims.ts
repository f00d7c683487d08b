import { CompactSign, type CryptoKey } from 'jose'

/** The header of a JWT of this server. */
export interface TokenHeader {
  readonly alg: string
  readonly kid: string
  readonly typ: string
}

const encoder = new TextEncoder()

/**
 * Signs claims that the server made itself: they need no checking and no copying, which `SignJWT` would do.
 * @see RFC 7519 section 7.1
 */
export async function signClaims(
  claims: Readonly<Record<string, unknown>>,
  header: TokenHeader,
  key: CryptoKey
): Promise<string> {
  return new CompactSign(encoder.encode(JSON.stringify(claims))).setProtectedHeader({ ...header }).sign(key)
}
