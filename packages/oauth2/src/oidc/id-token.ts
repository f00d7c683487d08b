import { createHash } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { InvalidRequest } from '../errors.ts'
import { signingAlgorithms } from '../options/resource-options.ts'
import type { Settings } from '../options/settings.ts'
import type { KeyRing, TokenSigner } from '../server/keys/signing-key.ts'
import type { Issued } from '../server/tokens/issue-token.ts'

/** The facts of an ID token that a client sends back. */
export interface IdTokenHint {
  /** The user's id as a string. */
  readonly subject: string
  /** The client that it was issued to. */
  readonly clientId: string
}

/** Reads hints. @throws {InvalidRequest} it is not an ID token of this server */
export type ReadHint = (hint: string) => Promise<IdTokenHint>

/** Characters. */
const longest = 8192
/** Seconds: a hint names a user and proves no login, so it may be expired. */
const anyAge = Number.MAX_SAFE_INTEGER

/**
 * Makes the function that reads hints; undefined if no ID tokens are issued.
 * @see OpenID Connect Core 1.0 section 3.1.2.1
 */
export function hintReader(ring: Pick<KeyRing, 'find'> | undefined, issuer: string | undefined): ReadHint | undefined {
  if (ring === undefined || issuer === undefined) return undefined
  const options = { issuer, typ: 'JWT', algorithms: [...signingAlgorithms], clockTolerance: anyAge }
  const findKey = async ({ kid = '', alg = '' }: { kid?: string; alg?: string }) => {
    const key = await ring.find(kid, alg)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
  return async (hint) => {
    try {
      const { payload } = await jwtVerify(hint.length > longest ? '' : hint, findKey, options)
      const { sub: subject, aud: clientId } = payload
      if (typeof subject === 'string' && typeof clientId === 'string') return { subject, clientId }
    } catch (cause) {
      if (!(cause instanceof errors.JOSEError || cause instanceof TypeError)) throw cause
      throw new InvalidRequest('id_token_hint is not an ID token of this server', { cause })
    }
    throw new InvalidRequest('id_token_hint has no subject')
  }
}

/** The inputs for creating ID tokens. */
interface IdTokenMaking {
  readonly keys: TokenSigner
  readonly issuer: string
  /** Seconds. */
  readonly lifetime: number
}

/**
 * The ID token that goes with an access token; undefined where the client did not request `openid`, or no user took
 * part.
 * @see OpenID Connect Core 1.0 sections 2, 3.1.3.3 and 12.2
 */
async function makeIdToken(
  { keys, issuer, lifetime }: IdTokenMaking,
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
    at_hash: atHash(accessToken, keys.algorithm)
  }
  return keys.sign(claims, { typ: 'JWT' })
}

/** The hash function of a signature algorithm. */
function hashOf(algorithm: string): string {
  const [, bits] = /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(algorithm) ?? []
  // Ed25519 hashes with SHA-512.
  return `sha${bits ?? '512'}`
}

/**
 * The `at_hash` claim, which ties an ID token to its access token.
 * @see OpenID Connect Core 1.0 section 3.1.3.6
 */
export function atHash(accessToken: string, algorithm: string): string {
  const hash = createHash(hashOf(algorithm)).update(accessToken, 'ascii').digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}

/** Makes the function that creates ID tokens; undefined if none are issued. */
export function idTokenMaker(
  { issuer, options }: Settings,
  keys: TokenSigner | undefined
): ((issued: Issued) => Promise<string | undefined>) | undefined {
  if (keys === undefined || issuer === undefined) return undefined
  const making = { keys, issuer, lifetime: options.idTokenLifetime }
  return (issued) => makeIdToken(making, issued)
}
