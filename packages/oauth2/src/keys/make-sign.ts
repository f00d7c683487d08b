import { KeyObject, sign as signNow } from 'node:crypto'
import { CompactSign, type CryptoKey } from 'jose'
import type { SigningAlgorithm } from './signing-key.ts'

/** Signs the claims of a token of this type. */
export type Sign = (claims: Readonly<Record<string, unknown>>, typ: string) => Promise<string>

/** A key that signs. */
export interface SigningPart {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly key: CryptoKey
}

/** Digests of the algorithms whose signatures cost less than handing them to another thread does; null: the algorithm's own. */
const quick: ReadonlyMap<SigningAlgorithm, string | null> = new Map([
  ['ES256', 'sha256'],
  ['EdDSA', null]
])

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs in this thread. @see RFC 7515 section 7.1 */
function signHere({ kid, algorithm, key: given }: SigningPart, digest: string | null): Sign {
  const key = { key: KeyObject.from(given), dsaEncoding: 'ieee-p1363' } as const
  const headers = new Map<string, string>()
  const headerOf = (typ: string): string => {
    const header = headers.get(typ) ?? encode({ alg: algorithm, kid, typ })
    headers.set(typ, header)
    return header
  }
  return async (claims, typ) => {
    const signed = `${headerOf(typ)}.${encode(claims)}`
    return `${signed}.${signNow(digest, Buffer.from(signed), key).toString('base64url')}`
  }
}

/** Signs in a thread of the pool, by jose. */
function signElsewhere({ kid, algorithm: alg, key }: SigningPart): Sign {
  const encoder = new TextEncoder()
  return async (claims, typ) =>
    new CompactSign(encoder.encode(JSON.stringify(claims))).setProtectedHeader({ alg, kid, typ }).sign(key)
}

/**
 * Makes the function that signs with a key. jose signs in another thread, which is right for RSA; a signature of ES256 or
 * Ed25519 takes half as long as the way there and back.
 */
export function makeSign(part: SigningPart): Sign {
  const digest = quick.get(part.algorithm)
  return digest === undefined ? signElsewhere(part) : signHere(part, digest)
}
