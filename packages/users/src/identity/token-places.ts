import type { FastifyRequest } from 'fastify'
import { checkOrigin, type CookieOrigins } from './check-origin.ts'
import type { TokenPlaces } from '../tokens/find-token-id.ts'

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Cookies with verified signatures: middleware of Express leaves them here. */
function signedByExpress({ raw }: FastifyRequest): Values | undefined {
  return 'signedCookies' in raw && isValues(raw.signedCookies) ? raw.signedCookies : undefined
}

/** What `@fastify/cookie` adds to requests. */
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
 * Where tokens of a Fastify request may be. The body is not read yet, and holds none.
 * @throws {CrossOriginRequest} (a cookie that is read) a page of another origin sent it
 */
export function tokenPlaces(request: FastifyRequest, cookieOrigins?: CookieOrigins): TokenPlaces {
  return new RequestPlaces(request, cookieOrigins)
}
