import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { answerTo, checkPublicUrl, publicLookup, readBounded } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey
} from 'jose'
import { KeysUnavailable } from '../errors.ts'
import { discoverServer, readText, secureAddress } from './fetch-json.ts'

/** True where an error of the look-up of a key is about the token itself. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWSInvalid
  )
}

/**
 * Wraps a look-up of keys, to distinguish unreadable keys from missing ones.
 * @throws {KeysUnavailable} (the function
 * that is returned)
 */
export function asKeysUnavailable(findKey: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await findKey(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      throw new KeysUnavailable('the keys cannot be read', { cause: error })
    }
  }
}

/** Which addresses may be requested. */
interface PublicRules {
  /** Also addresses of this machine and of private networks; of this machine also without TLS. */
  readonly allowPrivate: boolean
  /** Maximum bytes of a response. */
  readonly most: number
}

/** The options of a request. */
interface Question {
  readonly headers: Headers
  /** Aborts the request at any point. */
  readonly signal: AbortSignal
}

/** How keys of clients are read. */
interface ClientKeyRules {
  /** Also from this machine, and from private networks. */
  readonly allowPrivate: boolean
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds that keys are kept, and until an unknown key makes this server fetch again. */
const cacheMaxAge = 600_000

const cooldownDuration = 30_000

/** Timeout of a request in milliseconds, and the pause after a failed one. */
const timeoutDuration = 5000

const clientRetryAfter = 10_000

/** Bytes. */
const longestKeys = 65_536

/**
 * Parses a URL that may be requested.
 * @throws {AddressInsecure} it is not of https, or has credentials
 * @throws {AddressRefused} it is a private one
 */
export function publicUrl(address: string, allowPrivate: boolean): URL {
  const url = secureAddress(address, 'jwksURI')
  if (!allowPrivate) checkPublicUrl(url)
  return url
}

function connect(url: URL, { headers, signal }: Question, allowPrivate: boolean): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = { signal, headers: Object.fromEntries(headers), agent: false } as const
  return answerTo(request(url, allowPrivate ? options : { ...options, lookup: publicLookup() }).end())
}

/**
 * Fetches a URL from an untrusted source, such as a client's. Redirects are not followed.
 * @throws {AddressInsecure} or {AddressRefused}: it is not requested
 * @throws {TypeError} the status is not 200, or the response is too long
 */
export async function fetchPublic(
  address: string,
  question: Question,
  { allowPrivate, most }: PublicRules
): Promise<string> {
  const answer = await connect(publicUrl(address, allowPrivate), question, allowPrivate)
  try {
    if (answer.statusCode !== 200) throw new TypeError(`the response has status ${answer.statusCode}`)
    return await readBounded(answer, most)
  } finally {
    answer.destroy()
  }
}

/** Fetches keys, but not repeatedly where that fails: senders of assertions could make this server send requests. */
function patientFetch(address: URL, { allowPrivate, log }: ClientKeyRules): FetchImplementation {
  let failedAt = 0
  const { origin, pathname } = address
  return async (url, { headers, signal }) => {
    if (Date.now() - failedAt < clientRetryAfter) throw new TypeError('the keys could not be read recently')
    try {
      const text = await fetchPublic(url, { headers, signal }, { allowPrivate, most: longestKeys })
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
 * The keys at the `jwksURI` of a client, read on demand; undefined if the URL is invalid.
 * @throws {KeysUnavailable} (the function that is returned) they cannot be read
 * @see RFC 7591 section 2, jwks_uri
 */
export function remoteClientKeys(address: string, rules: ClientKeyRules): JWTVerifyGetKey | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const options = { cacheMaxAge, cooldownDuration, timeoutDuration, [customFetch]: patientFetch(url, rules) }
  return asKeysUnavailable(createRemoteJWKSet(url, options))
}

/** Where to find the keys of an authorization server. */
interface RemoteKeys {
  readonly issuer: string
  /** Read from the metadata of the issuer when absent. */
  readonly jwksUri?: string | undefined
  readonly allowHttp?: boolean | undefined
  /** Seconds that a set of keys is cached. */
  readonly cacheFor: number
  /** Seconds. */
  readonly timeout: number
}

/** Seconds after which an unknown key may make this server fetch again: tokens with made-up keys do not. */
const coolDown = 30

/** Milliseconds until an authorization server that could not be found is looked for again. */
const serverRetryAfter = 5000

/** Fetches as jose does, and limits the size of the answer. */
const fetchBounded: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options)
  return new Response(await readText(response), { status: response.status })
}

function keySet(address: string, { allowHttp, cacheFor, timeout }: RemoteKeys): JWTVerifyGetKey {
  return createRemoteJWKSet(secureAddress(address, 'jwksUri', allowHttp), {
    cacheMaxAge: cacheFor * 1000,
    cooldownDuration: coolDown * 1000,
    timeoutDuration: timeout * 1000,
    [customFetch]: fetchBounded
  })
}

/**
 * Keys of another server, read on first use and when a token has an unknown one.
 * @throws {AddressInsecure} an address is not of TLS
 */
export function remoteKeys(remote: RemoteKeys): JWTVerifyGetKey {
  const { issuer, jwksUri, allowHttp, timeout } = remote
  if (jwksUri !== undefined) return keySet(jwksUri, remote)
  secureAddress(issuer, 'issuer', allowHttp)
  let finding: Promise<JWTVerifyGetKey> | undefined
  let failedAt = 0
  const find = async (): Promise<JWTVerifyGetKey> => {
    try {
      const { jwksUri: found } = await discoverServer(issuer, timeout)
      if (found === undefined) throw new KeysUnavailable('the authorization server publishes no keys')
      return keySet(found, remote)
    } catch (error) {
      failedAt = Date.now()
      finding = undefined
      throw error
    }
  }
  return async (header, token) => {
    if (finding === undefined && Date.now() - failedAt < serverRetryAfter)
      throw new KeysUnavailable('the authorization server could not be found recently')
    finding ??= find()
    const keys = await finding
    return keys(header, token)
  }
}
