import type { Principal } from '@modelwire/core'

const defaultScopes: readonly string[] = ['DEFAULT']

/**
 * Whether the token of a caller is meant for a method. Without scopes of their own both sides have the scope DEFAULT.
 * @see LoopBack 3: loopback, lib/access-context.js, isScopeAllowed
 */
export function sharesScope(accessScopes: readonly string[] | undefined, principal: Principal | undefined): boolean {
  if (accessScopes === undefined && principal?.scopes === undefined) return true
  const needed = accessScopes ?? defaultScopes
  const held = principal?.scopes ?? defaultScopes
  return needed.some((scope) => held.includes(scope))
}
