import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { InvalidToken, TokenExpired } from '../errors.ts'
import { asKeysUnavailable } from '../http/remote-keys.ts'
import { type CheckToken, freezeDeep, type TokenAccess } from './token-access.ts'

const most = 8.64e15

/** The requirements of a JWT access token. */
interface JwtRules {
  readonly issuer: string
  /** Names of this resource: the token must be meant for one of them. */
  readonly audience: readonly string[]
  /** Only asymmetric ones. */
  readonly algorithms: readonly string[]
  /** Tolerated clock skew in seconds. */
  readonly clockTolerance: number
  /** Finds the key by the header. Nothing else in the header is trusted: not `jku`, `jwk`, `x5u` or `x5c`. */
  readonly findKey: JWTVerifyGetKey
}

/** Additional algorithms that a resource server accepts by default. */
export const verifyingAlgorithms: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** Maximum length of an access token in characters. */
export const longestToken = 16_384

const required = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id']

/** True for three parts of base64url, the first of which is an object. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
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

/** The time of a claim in seconds since 1970. One out of range becomes the first or last possible date. */
export function dateOfClaim(seconds: number): Date {
  return new Date(Math.max(-most, Math.min(seconds * 1000, most)))
}

/** How verified tokens are cached. */
interface JwtChecking extends JwtRules {
  /** Maximum number of cached tokens; 0: none. */
  readonly remember: number
  /** Seconds after which a cached token is verified again, so that a withdrawn key takes effect. */
  readonly rememberFor: number
  /** Changes when the keys change. */
  readonly keysVersion?: (() => number) | undefined
}

interface Remembered {
  readonly access: TokenAccess
  /** Milliseconds. */
  readonly until: number
  readonly expiresAt: number
  readonly version: number
}

/**
 * Checks JWT access tokens. A verified token is cached as long as the keys are unchanged; then only its expiry is checked
 * again.
 */
export function jwtChecker(checking: JwtChecking): CheckToken {
  const { remember, rememberFor, clockTolerance, keysVersion = () => 0 } = checking
  const verify = jwtVerifier(checking)
  // The oldest one makes room: what is requested most is verified again now and then, and reading costs nothing.
  const verified = new Map<string, Remembered>()
  const keep = (token: string, remembered: Remembered): void => {
    verified.delete(token)
    verified.set(token, remembered)
    const [oldest] = verified.size > remember ? verified.keys() : []
    if (oldest !== undefined) verified.delete(oldest)
  }
  const verifyAndRemember = async (token: string): Promise<TokenAccess> => {
    const version = keysVersion()
    const access = freezeDeep(await verify(token))
    const expiresAt = (access.expiresAt?.getTime() ?? 0) + clockTolerance * 1000
    keep(token, { access, expiresAt, until: Date.now() + rememberFor * 1000, version })
    return access
  }
  return (token) => {
    const cached = verified.get(token)
    const now = Date.now()
    if (cached === undefined || cached.version !== keysVersion() || cached.until <= now) return verifyAndRemember(token)
    if (cached.expiresAt <= now) throw new TokenExpired('the token has expired')
    return cached.access
  }
}
