import { isPlainObject } from '@modelwire/server'
import type { Principal } from '@modelwire/core'

const defaultScopes: readonly string[] = ['DEFAULT']

/**
 * Whether two ids are equal as strings: databases return numbers, rules and mappings contain strings. Objects and lists are
 * never ids.
 */
export function sameId(a: unknown, b: unknown): boolean {
  if (!isId(a) || !isId(b)) return false
  return String(a) === String(b)
}

/**
 * Whether a value can be an id. An object may be a database's own id type with a string form; plain objects and lists are
 * not ids.
 */
export function isId(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !Array.isArray(value) && !isPlainObject(value)
}

/**
 * Whether the token of a caller covers a method. Without explicit scopes, both sides have the scope DEFAULT.
 * @see LoopBack 3: loopback, lib/access-context.js, isScopeAllowed
 */
export function sharesScope(accessScopes: readonly string[] | undefined, principal: Principal | undefined): boolean {
  if (accessScopes === undefined && principal?.scopes === undefined) return true
  const needed = accessScopes ?? defaultScopes
  const held = principal?.scopes ?? defaultScopes
  return needed.some((scope) => held.includes(scope))
}
