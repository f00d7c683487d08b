import type { CryptoKey } from 'jose'
import type { TokenSigner } from '../seams.ts'

/** Signs, publishes keys, and finds the key that a token was signed with. */
export interface KeyRing extends TokenSigner {
  /** The public key with this id, for this algorithm alone; undefined when there is none. */
  readonly find: (kid: string, algorithm: string) => Promise<CryptoKey | undefined>
  /**
   * Resolves when the keys can be used.
   * @throws {SigningKeySealed} they were encrypted with another secret
   */
  readonly ready: () => Promise<void>
  /** The keys are others than before when this number is another one. */
  readonly version: () => number
  /**
   * Lets the next key sign from now on; the previous one verifies until its last token expires.
   * @throws {KeyTooYoung} verifiers may not know the next key yet
   */
  readonly rotate: (options?: RotateOptions) => Promise<void>
}

/** How `rotate` works. */
export interface RotateOptions {
  /** The key is known to others: the next one signs at once, and tokens of all earlier keys are refused at once. */
  readonly compromised?: boolean
}
