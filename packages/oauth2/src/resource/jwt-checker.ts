import { type JwtRules, jwtVerifier } from '../tokens/verify-jwt.ts'
import { freezeDeep } from './freeze-deep.ts'
import { TokenExpired } from './resource-errors.ts'
import type { CheckToken, TokenAccess } from './token-access.ts'

/** How verified tokens are remembered. */
export interface JwtChecking extends JwtRules {
  /** How many tokens are remembered; 0: none. */
  readonly remember: number
  /** Seconds after which a remembered token is verified again, so that a key that was withdrawn counts. */
  readonly rememberFor: number
  /** Another number when the keys are others. */
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
 * Checks JWT access tokens. The same text with the same keys has the same signature: for a verified one only the expiry
 * is checked again.
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
