import { type Sender, senderOf } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { CrossOriginRequest } from '../errors.ts'
import type { TokenOptions } from '../options.ts'

/** Other origins whose pages may send the cookie with a token. */
export type CookieOrigins = TokenOptions['cookieOrigins']

/** Methods that change nothing. */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whose requests are not made by others: browsers add cookies by themselves, to forms of any site, too. */
const trusted: ReadonlySet<Sender> = new Set(['own', 'person', 'program'])

/**
 * Refuses a request that changes something and that a page of another origin sent.
 * @throws {CrossOriginRequest} the origin is none of this server and of those that the application names
 */
export function checkOrigin(request: FastifyRequest, others: CookieOrigins = false): void {
  if (others === true || safe.has(request.method)) return
  if (!trusted.has(senderOf(request, others === false ? [] : others)))
    throw new CrossOriginRequest(
      'the request comes from a page of another origin: the access token of the cookie is ignored'
    )
}
