import type { FastifyRequest } from 'fastify'
import type { TokenPlaces } from '../tokens/token-ids.ts'
import { senderOf } from '@modelwire/server'
import { CrossOriginRequest } from '../errors.ts'
import type { TokenOptions } from '../options.ts'

/** Other origins whose pages may send the cookie with a token. */
type CookieOrigins = TokenOptions['cookieOrigins']

/** Methods that change nothing. */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whose requests are not made by others: browsers add cookies by themselves, to forms of any site, too. */
const trusted: ReadonlySet<ReturnType<typeof senderOf>> = new Set(['own', 'person', 'program'])

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Cookies with verified signatures: middleware of Express leaves them here. */
function signedByExpress({ raw }: FastifyRequest): Values | undefined {
  return 'signedCookies' in raw && isValues(raw.signedCookies) ? raw.signedCookies : undefined
}

/** The properties that `@fastify/cookie` adds to requests. */
interface CookieRequest {
  readonly cookies: Values
  readonly unsignCookie: (written: string) => { readonly valid: boolean; readonly value: unknown }
}

/** Both members come from that one plugin. */
function readsCookies(request: object): request is CookieRequest {
  return 'cookies' in request && isValues(request.cookies) && 'unsignCookie' in request
}

/** The value of a cookie that `@fastify/cookie` can vouch for. */
function unsigned(request: FastifyRequest, name: string): unknown {
  const candidate: object = request
  if (!readsCookies(candidate)) return undefined
  const written = candidate.cookies[name]
  if (typeof written !== 'string') return undefined
  const { valid, value } = candidate.unsignCookie(written)
  return valid ? value : undefined
}

const nothing: Values = {}

/** Every request is looked at: one object, and cookies are only looked for where some were sent. */
class RequestPlaces implements TokenPlaces {
  readonly params: Values
  readonly query: Values
  readonly headers: FastifyRequest['headers']
  readonly #request: FastifyRequest
  readonly #cookieOrigins: CookieOrigins

  constructor(request: FastifyRequest, cookieOrigins: CookieOrigins) {
    const { params, query } = request
    this.params = isValues(params) ? params : nothing
    // Fastify has read it already; of several values of one name it makes a list, which is not a token.
    this.query = isValues(query) ? query : nothing
    this.headers = request.headers
    this.#request = request
    this.#cookieOrigins = cookieOrigins
  }

  signedCookie(name: string): unknown {
    if (this.headers.cookie === undefined) return undefined
    const value = signedByExpress(this.#request)?.[name] ?? unsigned(this.#request, name)
    if (value !== undefined) checkOrigin(this.#request, this.#cookieOrigins)
    return value
  }
}

/**
 * Where a Fastify request may contain tokens. The body is not read yet, and contains none.
 * @throws {CrossOriginRequest} (a cookie that is read) a page of another origin sent it
 */
export function tokenPlaces(request: FastifyRequest, cookieOrigins?: CookieOrigins): TokenPlaces {
  return new RequestPlaces(request, cookieOrigins)
}

/**
 * Refuses a request that changes something and that a page of another origin sent.
 * @throws {CrossOriginRequest} the origin is none of this server and of those that the application names
 */
function checkOrigin(request: FastifyRequest, others: CookieOrigins = false): void {
  if (others === true || safe.has(request.method)) return
  if (!trusted.has(senderOf(request, others === false ? [] : others)))
    throw new CrossOriginRequest(
      'the request comes from a page of another origin: the access token in its cookie is ignored'
    )
}
