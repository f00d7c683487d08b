import { KeyObject, sign as signNow, type SignKeyObjectInput } from 'node:crypto'
import { availableParallelism } from 'node:os'
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

/** Digests of the algorithms whose signatures take a few dozen microseconds; null: the algorithm's own. */
const quick: ReadonlyMap<SigningAlgorithm, string | null> = new Map([
  ['ES256', 'sha256'],
  ['EdDSA', null]
])

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signature that another thread makes. */
function signInPool(digest: string | null, data: Buffer, key: SignKeyObjectInput): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signNow(digest, data, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })
}

/** How many other threads may sign at once: one core is this thread's. */
const otherCores = availableParallelism() - 1

/**
 * Signs in another thread while one of the other cores is free to do so, and in this one otherwise: that is quicker than
 * waiting.
 * @see RFC 7515 section 7.1
 */
function signQuickly({ kid, algorithm, key: given }: SigningPart, digest: string | null): Sign {
  let elsewhere = 0
  const signatureOf = async (data: Buffer): Promise<Buffer> => {
    if (elsewhere >= otherCores) return signNow(digest, data, key)
    elsewhere++
    try {
      return await signInPool(digest, data, key)
    } finally {
      elsewhere--
    }
  }
  const key = { key: KeyObject.from(given), dsaEncoding: 'ieee-p1363' } as const
  const headers = new Map<string, string>()
  const headerOf = (typ: string): string => {
    const header = headers.get(typ) ?? encode({ alg: algorithm, kid, typ })
    headers.set(typ, header)
    return header
  }
  return async (claims, typ) => {
    const signed = `${headerOf(typ)}.${encode(claims)}`
    const signature = await signatureOf(Buffer.from(signed))
    return `${signed}.${signature.toString('base64url')}`
  }
}

/** Signs in a thread of the pool, by jose. */
function signElsewhere({ kid, algorithm: alg, key }: SigningPart): Sign {
  const encoder = new TextEncoder()
  return async (claims, typ) =>
    new CompactSign(encoder.encode(JSON.stringify(claims))).setProtectedHeader({ alg, kid, typ }).sign(key)
}

/** Makes the function that signs with a key. RSA takes so long that it is always left to jose, which does it in another thread. */
export function makeSign(part: SigningPart): Sign {
  const digest = quick.get(part.algorithm)
  return digest === undefined ? signElsewhere(part) : signQuickly(part, digest)
}
