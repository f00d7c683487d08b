import { KeyObject, sign as signNow } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { CompactSign, type CryptoKey } from 'jose'
import { joinIntegers } from './join-integers.ts'
import type { SigningAlgorithm } from './signing-key.ts'

/** Signs the claims of a token of this type. */
export type Sign = (claims: Readonly<Record<string, unknown>>, typ: string) => Promise<string>

/** A key that signs. */
export interface SigningPart {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly key: CryptoKey
}

/** An algorithm whose signatures take a few dozen microseconds. */
interface QuickAlgorithm {
  /** Null: the algorithm's own. */
  readonly digest: string | null
  /** What JWTs have, of what Node gives. */
  readonly format: (signature: Buffer) => Buffer
}

const quick: ReadonlyMap<SigningAlgorithm, QuickAlgorithm> = new Map([
  ['ES256', { digest: 'sha256', format: joinIntegers }],
  ['EdDSA', { digest: null, format: (signature: Buffer) => signature }]
])

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signature that another thread makes. */
function signInPool(digest: string | null, data: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signNow(digest, data, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })
}

/**
 * How many signatures may wait for other threads, where there is a core for those. More wait when the threads are busy with
 * what takes long, such as passwords.
 */
const mostElsewhere = availableParallelism() > 1 ? 64 : 0

/**
 * Signs in other threads, and in this one where too many wait for those.
 * @see RFC 7515 section 7.1
 */
function signQuickly({ kid, algorithm, key: given }: SigningPart, { digest, format }: QuickAlgorithm): Sign {
  let elsewhere = 0
  const signatureOf = async (data: Buffer): Promise<Buffer> => {
    if (elsewhere >= mostElsewhere) return signNow(digest, data, key)
    elsewhere++
    try {
      return await signInPool(digest, data, key)
    } finally {
      elsewhere--
    }
  }
  const key = KeyObject.from(given)
  const headers = new Map<string, string>()
  const headerOf = (typ: string): string => {
    const header = headers.get(typ) ?? encode({ alg: algorithm, kid, typ })
    headers.set(typ, header)
    return header
  }
  return async (claims, typ) => {
    const signed = `${headerOf(typ)}.${encode(claims)}`
    const signature = format(await signatureOf(Buffer.from(signed)))
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
  const algorithm = quick.get(part.algorithm)
  return algorithm === undefined ? signElsewhere(part) : signQuickly(part, algorithm)
}
