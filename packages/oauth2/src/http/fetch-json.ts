import { isPlainObject, readBounded } from '@modelwire/server'
import { AddressInsecure, KeysUnavailable } from '../errors.ts'

/** The used part of an authorization server's metadata. */
interface ServerMetadata {
  readonly jwksUri: string | undefined
  readonly introspectionEndpoint: string | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A request to another server. */
interface JsonQuestion {
  /** Seconds. */
  readonly timeout: number
  readonly headers?: Readonly<Record<string, string>>
  /** Form parameters, sent by POST. */
  readonly form?: URLSearchParams
}

/** A response; `body` is undefined if it is not JSON. */
interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

/** Bytes of an answer that are read. */
const longestAnswer = 1_048_576

/**
 * Reads the text of a response.
 * @throws {AnswerTooLong}
 */
export async function readText({ body }: Response): Promise<string> {
  return body === null ? '' : readBounded(body, longestAnswer)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // undefined where it is not JSON; the caller reports that.
    return undefined
  }
}

/**
 * Sends a request to another server. Redirects are not followed: the data is only meant for this address.
 * @throws {AnswerTooLong} likewise whatever `fetch` throws
 */
export async function fetchJson(address: string, { timeout, headers = {}, form }: JsonQuestion): Promise<JsonAnswer> {
  const response = await fetch(address, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout * 1000),
    ...(form === undefined ? {} : { body: form })
  })
  return { status: response.status, body: parse(await readText(response)) }
}

/**
 * Validates a URL for secrets and keys: it must use TLS, or be on this machine.
 * @param key the option that holds it
 * @throws {AddressInsecure} it is none
 */
export function secureAddress(written: string, key: string, allowHttp = false): URL {
  const isUrl = URL.canParse(written)
  const url = isUrl ? new URL(written) : undefined
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (allowHttp || loopback.test(url.hostname)))
  if (url === undefined || !isSecure || url.username !== '' || url.password !== '')
    throw new AddressInsecure('an https URL without user name and password is required', { key })
  return url
}

/** Where metadata may be: of OAuth, then of OpenID Connect. @see RFC 8414 section 3 */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`
  ]
}

async function readMetadata(address: string, issuer: string, timeout: number): Promise<ServerMetadata> {
  const { status, body } = await fetchJson(address, { timeout })
  // Another server's metadata would make its keys those of this one.
  if (status !== 200 || !isPlainObject(body) || body['issuer'] !== issuer)
    throw new KeysUnavailable(`${address} returned ${status}, or names another issuer`)
  return { jwksUri: textOf(body['jwks_uri']), introspectionEndpoint: textOf(body['introspection_endpoint']) }
}

/**
 * Reads the metadata of an authorization server.
 * @param timeout seconds
 * @throws {KeysUnavailable} there is none, or it belongs to another server
 */
export async function discoverServer(issuer: string, timeout: number): Promise<ServerMetadata> {
  try {
    return await Promise.any(metadataAddresses(issuer).map((address) => readMetadata(address, issuer, timeout)))
  } catch (cause) {
    throw new KeysUnavailable('the metadata of the authorization server cannot be read', { cause })
  }
}
