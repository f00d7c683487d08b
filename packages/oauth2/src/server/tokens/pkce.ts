import { createHash, timingSafeEqual } from 'node:crypto'
import { InvalidGrant, InvalidRequest } from '../../errors.ts'

/** The PKCE parameters of an authorization request. */
interface PkceRequest {
  readonly challenge: string | undefined
  readonly method: string | undefined
}

/** 32 bytes in Base64url. */
const challengeForm = /^[A-Za-z0-9_-]{43}$/
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * The challenge of a code; undefined for none. `plain` is refused: it does not protect against anyone who sees the request.
 * @param isRequired no challenge is an error
 * @throws {InvalidRequest} there is none, its method is not S256, or it is not a SHA-256
 * @see RFC 7636 section 4.3, RFC 9700 section 2.1.1
 */
export function readChallenge({ challenge, method }: PkceRequest, isRequired: boolean): string | undefined {
  if (challenge === undefined) {
    if (isRequired || method !== undefined) throw new InvalidRequest('code_challenge is missing')
    return undefined
  }
  if (method !== 'S256') throw new InvalidRequest('code_challenge_method must be S256')
  if (!challengeForm.test(challenge)) throw new InvalidRequest('code_challenge must be a SHA-256 hash in Base64url')
  return challenge
}

/**
 * Checks the verifier of a token request.
 * @throws {InvalidGrant} it does not fit the challenge, is missing, or is there though the code has no challenge
 * @see RFC 7636 section 4.6, RFC 9700 section 2.1.1 (downgrade)
 */
export function checkVerifier(verifier: string | undefined, challenge: string | undefined): void {
  if (challenge === undefined) {
    if (verifier !== undefined) throw new InvalidGrant('the authorization request had no code_challenge')
    return
  }
  if (verifier === undefined || !verifierForm.test(verifier))
    throw new InvalidGrant('code_verifier is missing or malformed')
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const wanted = Buffer.from(challenge)
  if (made.length !== wanted.length || !timingSafeEqual(made, wanted))
    throw new InvalidGrant('code_verifier does not match code_challenge')
}
