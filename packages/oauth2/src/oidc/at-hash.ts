import { createHash } from 'node:crypto'

/** The hash function of a signature algorithm. */
function hashOf(algorithm: string): string {
  const [, bits] = /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(algorithm) ?? []
  // Ed25519 hashes with SHA-512.
  return `sha${bits ?? '512'}`
}

/** Ties an ID token to the access token beside it. @see OpenID Connect Core 1.0 section 3.1.3.6 */
export function atHash(accessToken: string, algorithm: string): string {
  const hash = createHash(hashOf(algorithm)).update(accessToken, 'ascii').digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
