import { createBoundedCache } from '@modelwire/core'
import { type JwtRules, jwtVerifier } from '../tokens/verify-jwt.ts'
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
 * Checks JWT access tokens. The same text with the same keys has the same signature: one that was verified is only asked
 * for its time again.
 */
export function jwtChecker(checking: JwtChecking): CheckToken {
  const { remember, rememberFor, clockTolerance, keysVersion = () => 0 } = checking
  const verify = jwtVerifier(checking)
  const verified = createBoundedCache<string, Remembered>(remember)
  const verifyAndRemember = async (token: string): Promise<TokenAccess> => {
    const version = keysVersion()
    const access = await verify(token)
    const expiresAt = (access.expiresAt?.getTime() ?? 0) + clockTolerance * 1000
    if (remember > 0) verified.set(token, { access, expiresAt, until: Date.now() + rememberFor * 1000, version })
    return access
  }
  return (token) => {
    const known = verified.get(token)
    const now = Date.now()
    if (known === undefined || known.version !== keysVersion() || known.until <= now) return verifyAndRemember(token)
    if (known.expiresAt <= now) throw new TokenExpired('the token has expired')
    return known.access
  }
}
