import { createPublicKey } from 'node:crypto'
import { isPlainObject } from '@modelwire/core/plugin'
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'

const symmetric = ({ kty }: JWK): boolean => kty === 'oct'

/** A PEM text as a set of one key; it serves every algorithm of its kind. */
function fromPem(text: string): readonly JWK[] {
  return [createPublicKey(text).export({ format: 'jwk' })]
}

function fromJson(text: string): readonly JWK[] {
  const parsed: unknown = JSON.parse(text)
  const keys = isPlainObject(parsed) && Array.isArray(parsed['keys']) ? parsed['keys'] : [parsed]
  return keys.filter(isPlainObject)
}

/**
 * The public keys of a client: a JWK Set, a JWK, or a PEM text (a public key or a certificate). Undefined for a text that is
 * none of them, or that holds a symmetric key: what is registered in public must not sign.
 */
export function readAssertionKeys(text: string): JWTVerifyGetKey | undefined {
  try {
    const keys = text.trimStart().startsWith('-----BEGIN') ? fromPem(text) : fromJson(text)
    if (keys.length === 0 || keys.some(symmetric)) return undefined
    const set = createLocalJWKSet({ keys: [...keys] })
    const [only, ...others] = keys
    const isNameless = others.length === 0 && only?.kid === undefined
    // The one key there is serves whatever name an assertion has for it.
    return isNameless ? async ({ alg }, token) => set({ alg }, token) : set
  } catch {
    // The keys of a client are its own: the caller refuses its assertions.
    return undefined
  }
}
