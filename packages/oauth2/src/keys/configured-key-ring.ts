import { calculateJwkThumbprint, type CryptoKey, type JWK } from 'jose'
import { SigningKeyInvalid } from './key-errors.ts'
import type { KeyRing } from './key-ring.ts'
import { makeSign } from './make-sign.ts'
import { type SigningAlgorithm, signingAlgorithms } from './signing-algorithms.ts'
import { importKey, publicPart } from './signing-key.ts'

const byCurve: Readonly<Record<string, SigningAlgorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384', Ed25519: 'EdDSA' }

/** The algorithm of a key; for RSA without `alg`, RS256. @throws {SigningKeyInvalid} this server does not sign with it */
function algorithmOf({ alg, kty, crv }: JWK): SigningAlgorithm {
  const written = alg ?? (kty === 'RSA' ? 'RS256' : byCurve[crv ?? ''])
  const supported = signingAlgorithms.find((name) => name === written)
  if (supported !== undefined) return supported
  throw new SigningKeyInvalid(`keys of type ${written ?? kty ?? 'unknown'} cannot sign`, { key: 'keys.jwks' })
}

interface ConfiguredKey {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  readonly verifying: CryptoKey
}

async function readConfiguredKey(jwk: JWK): Promise<ConfiguredKey> {
  const algorithm = algorithmOf(jwk)
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const publicJwk = publicPart(jwk, kid, algorithm)
  return { kid, algorithm, publicJwk, verifying: await importKey(publicJwk, algorithm) }
}

/**
 * Keys that the application manages itself: the first one signs, all are published and verify.
 * @throws {SigningKeyInvalid} a key is malformed or symmetric, two have one id, or the first one has no private part
 */
export async function configuredKeyRing(jwks: readonly JWK[]): Promise<KeyRing> {
  const [first] = jwks
  if (first?.d === undefined)
    throw new SigningKeyInvalid('the first key must be private: it is the one that signs', { key: 'keys.jwks' })
  const [current, ...others] = await Promise.all(jwks.map(readConfiguredKey))
  if (current === undefined) throw new SigningKeyInvalid('there is no key', { key: 'keys.jwks' })
  const all = [current, ...others]
  const { kid, algorithm } = current
  const signWith = makeSign({ kid, algorithm, key: await importKey({ ...first, ext: false }, algorithm) })
  const byId = new Map(all.map((key) => [key.kid, key]))
  if (byId.size < all.length) throw new SigningKeyInvalid('two keys have the same `kid`', { key: 'keys.jwks' })
  const published = { keys: all.map(({ publicJwk }) => publicJwk) }
  return {
    algorithm,
    sign: (claims, { typ }) => signWith(claims, typ),
    jwks: async () => published,
    find: async (id, wanted) => {
      const key = byId.get(id)
      return key?.algorithm === wanted ? key.verifying : undefined
    },
    version: () => 1,
    ready: async () => {},
    rotate: async () => {
      throw new SigningKeyInvalid('keys that are given by an option are rotated there', { key: 'keys.jwks' })
    }
  }
}
