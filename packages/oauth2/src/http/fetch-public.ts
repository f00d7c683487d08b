import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { secureAddress } from '../resource/secure-address.ts'
import { isPublicAddress } from './public-address.ts'
import { readBounded } from './read-bounded.ts'

/** An address that this server does not request. */
class AddressRefused extends TypeError {}

/** Which addresses may be requested. */
export interface PublicRules {
  /** Addresses of this machine and of private networks, too; of this machine also without TLS. */
  readonly allowPrivate: boolean
  /** Bytes of an answer. */
  readonly most: number
}

/** What a question is sent with. */
export interface Question {
  readonly headers: Headers
  /** Ends the question, wherever it is. */
  readonly signal: AbortSignal
}

type Resolve = (
  name: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

/**
 * Looks names up for a connection: a name that leads to a private address, were it one of several, leads nowhere. The
 * checked address is the one connected to: there is no second look-up with another result.
 */
export function publicLookup(find: Resolve = resolve): LookupFunction {
  return (name, options, callback) => {
    find(name, { ...options, all: true }, (error, addresses) => {
      const isPublic = addresses?.every(({ address }) => isPublicAddress(address))
      const [first] = addresses ?? []
      if (error !== null) callback(error, '', 0)
      else if (!isPublic || first === undefined)
        callback(new AddressRefused('the name leads to a private address'), '', 0)
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * The address, if it may be requested.
 * @throws {AddressInsecure} it is not of https, or has credentials
 * @throws {AddressRefused} it is a private one
 */
export function publicUrl(address: string, allowPrivate: boolean): URL {
  const url = secureAddress(address, 'jwksURI')
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  const isPrivate = url.protocol !== 'https:' || (isIP(literal) !== 0 && !isPublicAddress(literal))
  if (isPrivate && !allowPrivate) throw new AddressRefused('the address is a private one')
  return url
}

function connect(url: URL, { headers, signal }: Question, allowPrivate: boolean): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = { signal, headers: Object.fromEntries(headers), agent: false } as const
  return new Promise((answer, fail) => {
    request(url, allowPrivate ? options : { ...options, lookup: publicLookup() }, answer)
      .once('error', fail)
      .end()
  })
}

/**
 * The answer of an address from an untrusted source, such as a client's. Redirects are not followed.
 * @throws {AddressInsecure} or {AddressRefused}: it is not requested
 * @throws {TypeError} the answer is another one than 200, or too long
 */
export async function fetchPublic(
  address: string,
  question: Question,
  { allowPrivate, most }: PublicRules
): Promise<string> {
  const answer = await connect(publicUrl(address, allowPrivate), question, allowPrivate)
  try {
    if (answer.statusCode !== 200) throw new TypeError(`the answer is ${answer.statusCode}`)
    return await readBounded(answer, most)
  } finally {
    answer.destroy()
  }
}
