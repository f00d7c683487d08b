import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { InvalidToken } from '../errors.ts'
import { KeysUnavailable, TokenExpired } from '../resource/resource-errors.ts'
import type { TokenAccess } from '../resource/token-access.ts'
import { dateOfClaim } from './date-of-claim.ts'

/** What a JWT access token must be like. */
export interface JwtRules {
  readonly issuer: string
  /** Names of this resource: the token must be meant for one of them. */
  readonly audience: readonly string[]
  /** Of public keys alone. */
  readonly algorithms: readonly string[]
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number
  /** Finds the key by the header. Nothing else of the header is trusted: not `jku`, `jwk`, `x5u` or `x5c`. */
  readonly findKey: JWTVerifyGetKey
}

/** Algorithms that a resource server accepts by default otherwise. */
export const verifyingAlgorithms: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** Longer ones are not access tokens; characters. */
export const longestToken = 16_384

const required = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id']

/** True for three parts of base64url, of which the first one holds an object. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** True where an error of the look-up of a key is about the token itself. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWSInvalid
  )
}

/**
 * Wraps a look-up of keys, so that unreadable keys differ from missing ones. @throws {KeysUnavailable} (the function
 * that is returned)
 */
export function asKeysUnavailable(findKey: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await findKey(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      throw new KeysUnavailable('the keys cannot be read', { cause: error })
    }
  }
}

const textsIn = (value: unknown): readonly string[] => [value].flat().filter((item) => typeof item === 'string')

/** @throws {InvalidToken} a claim has another type than it must have */
function readClaims(payload: JWTPayload, { clockTolerance }: JwtRules): TokenAccess {
  const { sub, aud, exp = 0, iat = 0, scope = '', client_id: clientId, cnf } = payload
  if (typeof clientId !== 'string' || clientId === '' || typeof sub !== 'string' || typeof scope !== 'string')
    throw new InvalidToken('the token is malformed')
  // The sender of such a token must prove to hold a key, which a Bearer request does not.
  if (cnf !== undefined) throw new InvalidToken('the token is bound to a key')
  if (iat > Date.now() / 1000 + clockTolerance) throw new InvalidToken('the token was issued in the future')
  return {
    clientId,
    // A token of a client alone names it twice.
    userId: sub === clientId ? undefined : sub,
    scopes: scope.split(' ').filter((name) => name !== ''),
    audience: textsIn(aud),
    issuedAt: dateOfClaim(iat),
    expiresAt: dateOfClaim(exp),
    claims: payload
  }
}

/** Makes the function that verifies JWT access tokens. @see RFC 9068 section 4, RFC 8725 */
export function jwtVerifier(rules: JwtRules): (token: string) => Promise<TokenAccess> {
  const { issuer, audience, algorithms, clockTolerance, findKey } = rules
  const find = asKeysUnavailable(findKey)
  const options = {
    issuer,
    audience: [...audience],
    algorithms: [...algorithms],
    clockTolerance,
    typ: 'at+jwt',
    requiredClaims: required
  }
  return async (token) => {
    if (token.length > longestToken) throw new InvalidToken('the token is too long')
    try {
      const { payload } = await jwtVerify(token, find, options)
      return readClaims(payload, rules)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new TokenExpired('the token has expired', { cause: error })
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw new InvalidToken('the token is not valid here', { cause: error })
      throw error
    }
  }
}
