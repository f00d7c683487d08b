import { isPlainObject } from '@modelwire/core'
import type { UsersOptions } from '@modelwire/users'
import type { MiddlewareEntry } from '../middleware/read-middleware.ts'

type TokenOptions = NonNullable<UsersOptions['tokens']>

/** A list of names; undefined for what is none. */
export function namesIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
}

/** LB3: a literal that is no text, such as true, is `me`. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value
  return value ? 'me' : undefined
}

/** The model of tokens that `loopback#token` names; undefined where it names none. */
export function tokenModel(middleware: readonly MiddlewareEntry[]): string | undefined {
  const written = middleware.find(({ name }) => name === 'loopback#token')?.params
  const model = isPlainObject(written) ? written['model'] : undefined
  return typeof model === 'string' && model !== '' ? model : undefined
}

/** Where tokens are, as `loopback#token` of `middleware.json` says; options of the server win. */
export function tokenOptions(middleware: readonly MiddlewareEntry[], given: TokenOptions = {}): TokenOptions {
  const written = middleware.find(({ name }) => name === 'loopback#token')?.params
  const params = isPlainObject(written) ? written : {}
  const { currentUserLiteral, bearerTokenBase64Encoded, searchDefaultTokenKeys } = params
  const read = {
    params: namesIn(params['params']),
    headers: namesIn(params['headers']),
    cookies: namesIn(params['cookies']),
    currentUserLiteral: literalOf(currentUserLiteral),
    // LB3: true unless something is said.
    bearerTokenBase64Encoded: bearerTokenBase64Encoded === undefined || Boolean(bearerTokenBase64Encoded),
    searchDefaultTokenKeys: searchDefaultTokenKeys !== false
  }
  const present = Object.entries({ ...read, ...given }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present)
}
