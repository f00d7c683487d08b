import {
  calculateJwkThumbprint,
  CompactSign,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK
} from 'jose'
import { SigningKeyInvalid } from '../../errors.ts'
import type { SigningAlgorithm } from '../../options/resource-options.ts'

/** Signs JWTs with the current key. */
export interface TokenSigner {
  sign(claims: Readonly<Record<string, unknown>>, options: { readonly typ: string }): Promise<string>
  /** The public keys: next, current and previous. */
  jwks(): Promise<{ readonly keys: readonly object[] }>
  readonly algorithm: string
}

/** Signs, publishes keys, and finds the key of a token. */
export interface KeyRing extends TokenSigner {
  /** The public key with this id, for this algorithm only; undefined if there is none. */
  readonly find: (kid: string, algorithm: string) => Promise<CryptoKey | undefined>
  /**
   * Resolves when the keys are usable.
   * @throws {SigningKeySealed} they were encrypted with another secret
   */
  readonly ready: () => Promise<void>
  /** Changes when the keys change. */
  readonly version: () => number
  /**
   * Lets the next key sign from now on; the previous one verifies until its last token expires.
   * @throws {KeyTooYoung} verifiers may not know the next key yet
   */
  readonly rotate: (options?: RotateOptions) => Promise<void>
}

/** The options of `rotate`. */
export interface RotateOptions {
  /** The key is compromised: the next one signs at once, and tokens of all earlier keys are refused at once. */
  readonly compromised?: boolean
}

/** A key to sign with. */
export interface SigningKey {
  /** Its thumbprint. @see RFC 7638 */
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  /** As published: with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK
  readonly privateJwk: JWK
}

const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

/** Signs the claims of a token of this type. */
export type Sign = (claims: Readonly<Record<string, unknown>>, typ: string) => Promise<string>

/** A key that signs. */
interface SigningPart {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly key: CryptoKey
}

/** Makes the function that signs with a key, in another thread. */
export function makeSign({ kid, algorithm: alg, key }: SigningPart): Sign {
  const encoder = new TextEncoder()
  return async (claims, typ) =>
    new CompactSign(encoder.encode(JSON.stringify(claims))).setProtectedHeader({ alg, kid, typ }).sign(key)
}

/** The public part of a key, as published. */
export function publicPart(jwk: JWK, kid: string, algorithm: SigningAlgorithm): JWK {
  const shown = Object.entries(jwk).filter(([name]) => !privateMembers.has(name) && name !== 'key_ops')
  return { ...Object.fromEntries(shown), kid, alg: algorithm, use: 'sig' }
}

/** Generates a key. */
export async function generateSigningKey(algorithm: SigningAlgorithm): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const [jwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, algorithm, publicJwk: publicPart(jwk, kid, algorithm), privateJwk }
}

/**
 * Imports a key for jose.
 * @throws {SigningKeyInvalid} it is none, or none of this algorithm
 */
export async function importKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  try {
    const key = await importJWK({ ...jwk, alg: algorithm }, algorithm)
    if (!(key instanceof Uint8Array)) return key
  } catch (cause) {
    throw new SigningKeyInvalid(`a key cannot be used for ${algorithm}`, {}, { cause })
  }
  throw new SigningKeyInvalid('symmetric keys are not allowed: a verifier could sign with them', {})
}
