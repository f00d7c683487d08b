import { fillDefaults } from '@modelwire/core/plugin'
import { type TokenOptions, TokenOptionsSchema } from '../options.ts'
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
 * Makes the function that looks for a token: in parameters, then headers, then signed cookies; own names come before the
 * usual ones. The first text decides, even if it is no token; lists and structures are none.
 * @see LoopBack 3: loopback, common/models/access-token.js, getIdForRequest
 */
export function tokenFinder(options: TokenOptions): FindTokenId {
  const { bearerTokenBase64Encoded, searchDefaultTokenKeys } = fillDefaults(TokenOptionsSchema, options)
  const usual = (names: readonly string[]): readonly string[] => (searchDefaultTokenKeys ? names : [])
  const params = [...(options.params ?? []), ...usual(['access_token'])]
  const headers = [...(options.headers ?? []), ...usual(['x-access-token', 'authorization'])].map((name) =>
    name.toLowerCase()
  )
  const cookies = [...(options.cookies ?? []), ...usual(['access_token', 'authorization'])]
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
