import type { FastifyBaseLogger } from 'fastify'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWTVerifyGetKey
} from 'jose'
import { fetchPublic } from '../http/fetch-public.ts'
import { asKeysUnavailable } from '../tokens/verify-jwt.ts'

/** How keys of clients are read. */
export interface ClientKeyRules {
  /** Also from this machine, and from private networks. */
  readonly allowPrivate: boolean
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds that keys are kept, and until an unknown key makes this server fetch again. */
const cacheMaxAge = 600_000
const cooldownDuration = 30_000
/** Timeout of a request in milliseconds, and the pause after a failed one. */
const timeoutDuration = 5000
const retryAfter = 10_000
/** Bytes. */
const most = 65_536

/** Fetches keys, but not repeatedly where that fails: senders of assertions could make this server send requests. */
function patientFetch(address: URL, { allowPrivate, log }: ClientKeyRules): FetchImplementation {
  let failedAt = 0
  const { origin, pathname } = address
  return async (url, { headers, signal }) => {
    if (Date.now() - failedAt < retryAfter) throw new TypeError('the keys could not be read a moment ago')
    try {
      const text = await fetchPublic(url, { headers, signal }, { allowPrivate, most })
      createLocalJWKSet(JSON.parse(text)) // What is not a set of keys is a failure, too.
      return new Response(text)
    } catch (error) {
      failedAt = Date.now()
      log.warn({ err: error, address: origin + pathname }, 'oauth2: the keys of a client cannot be read')
      throw error
    }
  }
}

/**
 * The keys at the `jwksURI` of a client, read when they are needed; undefined for a text that is not an address.
 * @throws {KeysUnavailable} (the function that is returned) they cannot be read
 * @see RFC 7591 section 2, jwks_uri
 */
export function remoteClientKeys(address: string, rules: ClientKeyRules): JWTVerifyGetKey | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const options = { cacheMaxAge, cooldownDuration, timeoutDuration, [customFetch]: patientFetch(url, rules) }
  return asKeysUnavailable(createRemoteJWKSet(url, options))
}
