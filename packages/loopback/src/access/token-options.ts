import { isPlainObject } from '@modelwire/server'
import { typeOfClass } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { UsersOptions } from '@modelwire/users'
import type { MiddlewareEntry } from '../express/middleware-entry.ts'

type TokenOptions = NonNullable<UsersOptions['tokens']>

/** A list of names; undefined for anything else. */
export function namesIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
}

/** LB3: a literal that is not a string, such as true, is `me`. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value
  return value ? 'me' : undefined
}

function paramsOf(entry: MiddlewareEntry | undefined): Readonly<Record<string, unknown>> {
  return isPlainObject(entry?.params) ? entry.params : {}
}

/**
 * The token model, or its class, set in `loopback#token`; undefined if it sets none.
 * @param entries of that middleware in their order: the first one finds tokens
 */
export function tokenModel([entry]: readonly MiddlewareEntry[]): string | undefined {
  const { model } = paramsOf(entry)
  const name: unknown = typeof model === 'function' ? Reflect.get(model, 'modelName') : model
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The model of the class in `loopback#token`, which may belong to another application. */
export function configuredTokenModel([entry]: readonly MiddlewareEntry[]): ModelType | undefined {
  const { model } = paramsOf(entry)
  return typeOfClass(model)
}

/**
 * The places of tokens set in `loopback#token`; options of the server take precedence. LB3: the first entry finds tokens,
 * each replaces its literal.
 * @param entries of that middleware in their order
 */
export function tokenOptions(entries: readonly MiddlewareEntry[], overrides: TokenOptions = {}): TokenOptions {
  const params = paramsOf(entries[0])
  const { bearerTokenBase64Encoded, searchDefaultTokenKeys } = params
  const currentUserLiteral = entries.map((entry) => paramsOf(entry)['currentUserLiteral']).find(Boolean)
  const read = {
    params: namesIn(params['params']),
    headers: namesIn(params['headers']),
    cookies: namesIn(params['cookies']),
    currentUserLiteral: literalOf(currentUserLiteral),
    // LB3: true by default.
    bearerTokenBase64Encoded: bearerTokenBase64Encoded === undefined || Boolean(bearerTokenBase64Encoded),
    searchDefaultTokenKeys: searchDefaultTokenKeys !== false
  }
  const present = Object.entries({ ...read, ...overrides }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present)
}
