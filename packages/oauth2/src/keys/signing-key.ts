import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { SigningKeyInvalid } from './key-errors.ts'
import type { SigningAlgorithm } from './signing-algorithms.ts'

/** A key to sign with. */
export interface SigningKey {
  /** Its thumbprint. @see RFC 7638 */
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  /** As it is published: with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK
  readonly privateJwk: JWK
}

const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

/** The public part of a key, as it is published. */
export function publicPart(jwk: JWK, kid: string, algorithm: SigningAlgorithm): JWK {
  const shown = Object.entries(jwk).filter(([name]) => !privateMembers.has(name) && name !== 'key_ops')
  return { ...Object.fromEntries(shown), kid, alg: algorithm, use: 'sig' }
}

/** Makes a key. */
export async function generateSigningKey(algorithm: SigningAlgorithm): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const [jwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, algorithm, publicJwk: publicPart(jwk, kid, algorithm), privateJwk }
}

/**
 * A key as jose uses it.
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
