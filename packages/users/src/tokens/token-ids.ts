import type { TokenSettings } from '../options.ts'
import { randomBytes } from 'node:crypto'

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8')

/** The parts of a request that may contain a token. */
export interface TokenPlaces {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The value of a signed cookie; undefined if it does not exist or its signature is wrong. */
  signedCookie(name: string): unknown
}

/** Finds the string that may be a token; undefined if there is none. */
export type FindTokenId = (places: TokenPlaces) => string | undefined

/**
 * Makes the function that looks for a token: in parameters, then headers, then signed cookies; custom names come before the
 * defaults. The first string decides, even if it is not a token; lists and objects are ignored.
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

/** The longer of user and password: clients put a token into either. */
function longerPart(credentials: string): string {
  const parts = /^([^:]*):(.*)$/.exec(credentials)
  if (parts === null) return credentials
  const [, user = '', password = ''] = parts
  return password.length > user.length ? password : user
}

/**
 * The token in a header: the whole value, or the part after `Bearer ` or `Basic `.
 * @param isBase64 Bearer tokens are written in Base64. LB3: the default there, pinned by acl/tokens
 */
export function readAuthorization(header: string, isBase64: boolean): string {
  if (header.startsWith('Bearer ')) {
    const token = header.slice('Bearer '.length)
    return isBase64 ? fromBase64(token) : token
  }
  return /^Basic /i.test(header) ? longerPart(fromBase64(header.slice('Basic '.length))) : header
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const length = 64

// Bytes past the last whole round would make some signs likelier than others.
const fair = 256 - (256 % alphabet.length)

/** Generates a token id: 64 letters and digits, more than 380 bits of randomness. */
export function newTokenId(): string {
  let id = ''
  while (id.length < length)
    id += Array.from(randomBytes(length), (byte) => (byte < fair ? alphabet[byte % alphabet.length] : '')).join('')
  return id.slice(0, length)
}
