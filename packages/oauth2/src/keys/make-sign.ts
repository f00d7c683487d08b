import { CompactSign, type CryptoKey } from 'jose'
import type { SigningAlgorithm } from './signing-algorithms.ts'

/** Signs the claims of a token of this type. */
export type Sign = (claims: Readonly<Record<string, unknown>>, typ: string) => Promise<string>

/** A key that signs. */
export interface SigningPart {
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
