import { errors, jwtVerify } from 'jose'
import { InvalidRequest } from '../errors.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { signingAlgorithms } from '../keys/signing-algorithms.ts'

/** The facts of an ID token that a client sends back. */
export interface IdTokenHint {
  /** Whose token it is: the user's id as a text. */
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
 * Makes the function that reads hints; none where no ID tokens are issued. @see OpenID Connect Core 1.0 section 3.1.2.1
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
