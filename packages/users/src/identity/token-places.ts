import type { FastifyRequest } from 'fastify'
import type { TokenPlaces } from '../tokens/find-token-id.ts'

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Cookies whose signature somebody checked before: middleware of Express leaves them here. */
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

/** Query values by name; of several values of one name, a list. */
function queryOf({ raw: { url = '' } }: FastifyRequest): Values {
  const mark = url.indexOf('?')
  if (mark === -1) return {}
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown> // no name is inherited
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1)))
    values[name] = name in values ? [values[name], value].flat() : value
  return values
}

/** Where tokens of a Fastify request may be. The body is not read yet, and holds none. */
export function tokenPlaces(request: FastifyRequest): TokenPlaces {
  const { params, headers } = request
  return {
    params: isValues(params) ? params : {},
    query: () => queryOf(request),
    header: (name) => headers[name],
    signedCookie: (name) => signedByExpress(request)?.[name] ?? unsigned(request, name)
  }
}
