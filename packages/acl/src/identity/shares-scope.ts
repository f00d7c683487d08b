import type { Principal } from '@modelwire/core'

const usual: readonly string[] = ['DEFAULT']

/**
 * Whether the token of a caller is meant for a method. Without scopes of their own both sides have the scope DEFAULT.
 * @see LoopBack 3: loopback, lib/access-context.js, isScopeAllowed
 */
export function sharesScope(accessScopes: readonly string[] | undefined, principal: Principal | undefined): boolean {
  if (accessScopes === undefined && principal?.scopes === undefined) return true
  const needed = accessScopes ?? usual
  const held = principal?.scopes ?? usual
  return needed.some((scope) => held.includes(scope))
}
