import { isPlainObject, type ModelType } from '@modelwire/core/plugin'
import type { UsersOptions } from '@modelwire/users'
import type { MiddlewareEntry } from '@modelwire/loopback-express'

type TokenOptions = NonNullable<UsersOptions['tokens']>

/** A list of names; undefined for what is none. */
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
 * The model of tokens, or its class, that `loopback#token` names; undefined where it names none.
 * @param entries of that middleware in their order: the first one finds tokens
 */
export function tokenModel([entry]: readonly MiddlewareEntry[]): string | undefined {
  const { model } = paramsOf(entry)
  const name: unknown = typeof model === 'function' ? Reflect.get(model, 'modelName') : model
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The model of the class that `loopback#token` gives, which may be one of another application. */
export function configuredTokenModel([entry]: readonly MiddlewareEntry[]): ModelType | undefined {
  const { model } = paramsOf(entry)
  const type: unknown = typeof model === 'function' ? Reflect.get(model, 'modelType') : undefined
  return type as ModelType | undefined // classes of models have their type
}

/**
 * The places of tokens by `loopback#token`; options of the server win. LB3: the first one finds tokens, each replaces
 * its literal.
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
