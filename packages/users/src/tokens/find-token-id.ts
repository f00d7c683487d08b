import type { TokenSettings } from '../options.ts'
import { readAuthorization } from './read-authorization.ts'

/** What of a request may hold a token. */
export interface TokenPlaces {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The value of a signed cookie; undefined where there is none or its signature is wrong. */
  signedCookie(name: string): unknown
}

/** Finds the text that claims to be a token; undefined where there is none. */
export type FindTokenId = (places: TokenPlaces) => string | undefined

/**
 * Makes the function that looks for a token: in parameters, then headers, then signed cookies; own names come before
 * the defaults. The first text decides, even if it is not a token; lists and objects are ignored.
 * @see LoopBack 3: loopback, common/models/access-token.js, getIdForRequest
 */
export function tokenFinder(options: Omit<TokenSettings, 'cookieOrigins'>): FindTokenId {
  const { bearerTokenBase64Encoded, searchDefaultTokenKeys } = options
  const withDefaults = (names: readonly string[]): readonly string[] => (searchDefaultTokenKeys ? names : [])
  const params = [...(options.params ?? []), ...withDefaults(['access_token'])]
  const headers = [...(options.headers ?? []), ...withDefaults(['x-access-token', 'authorization'])].map((name) =>
    name.toLowerCase()
  )
  const cookies = [...(options.cookies ?? []), ...withDefaults(['access_token', 'authorization'])]
  return (places) => {
    for (const name of params) {
      const value = places.params[name] ?? places.query[name]
      if (typeof value === 'string') return value
    }
    for (const name of headers) {
      const value = places.headers[name]
      if (typeof value === 'string' && value !== '') return readAuthorization(value, bearerTokenBase64Encoded)
    }
    for (const name of cookies) {
      const value = places.signedCookie(name)
      if (typeof value === 'string') return value
    }
    return undefined
  }
}
