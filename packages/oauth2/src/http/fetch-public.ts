import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { checkPublicUrl, publicLookup, readBounded } from '@modelwire/core/plugin'
import { secureAddress } from '../resource/secure-address.ts'

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

/**
 * The address, if it may be requested.
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
