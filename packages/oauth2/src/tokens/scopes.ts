import { InvalidGrant, InvalidScope, ScopeNotAllowed } from '../errors.ts'
import type { Client } from '../clients/client.ts'
import { type GrantKind, mayRefresh, offlineScope } from '../grants/grant-kind.ts'
import type { Settings } from '../settings.ts'

type ScopeSettings = Pick<Settings, 'rules' | 'scopes'>

/** One scope. @see RFC 6749 section 3.3 */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** True for a well-formed scope. */
export const isScope = (text: string): boolean => scopeToken.test(text)

/**
 * The scopes of a `scope` parameter, each once.
 * @throws {InvalidScope} one holds a sign that scopes must not hold
 */
export function parseScopes(text: string | undefined): readonly string[] {
  const scopes = (text ?? '').split(' ').filter((scope) => scope !== '')
  if (!scopes.every(isScope)) throw new InvalidScope('the scope is malformed')
  return [...new Set(scopes)]
}

/** True when all of `scopes` are among `granted`. */
export function covers(granted: readonly string[], scopes: readonly string[]): boolean {
  return scopes.every((scope) => granted.includes(scope))
}

/** Those of `scopes` that the client may request now: its own ones, else those that the server names. */
function grantable({ rules, scopes: named }: ScopeSettings, { scopes: own }: Client, scopes: readonly string[]) {
  if (own.length === 0) return rules.allowsAllWhenUnlisted ? scopes : scopes.filter((scope) => named.has(scope))
  // It is about the grants of a client, not about what it reaches.
  return scopes.filter((scope) => own.includes(scope) || (scope === offlineScope && named.has(scope)))
}

/**
 * What of granted scopes the client may still have.
 * @throws {InvalidGrant} nothing of it
 */
export function stillGranted(settings: ScopeSettings, client: Client, granted: readonly string[]): readonly string[] {
  const left = grantable(settings, client, granted)
  if (left.length > 0 || granted.length === 0) return left
  throw new InvalidGrant('the client may no longer have these scopes')
}

/** @throws {ScopeNotAllowed} the client is registered for other scopes, or for none and the server does not name one */
export function checkClientScopes(settings: ScopeSettings, client: Client, scopes: readonly string[]): void {
  if (grantable(settings, client, scopes).length < scopes.length)
    throw new ScopeNotAllowed('the client may not request this scope')
}

/**
 * The scopes of a request. `offline_access` is passed over where no refresh token comes of it.
 * @throws {InvalidScope} one is malformed
 * @throws {ScopeNotAllowed} see {@link checkClientScopes}
 * @see OpenID Connect Core 1.0, section 11
 */
export function readScopes(
  settings: Settings,
  client: Client,
  grant: GrantKind,
  text: string | undefined
): readonly string[] {
  const isOffline = !settings.scopes.has(offlineScope) || mayRefresh(settings, client, grant)
  const scopes = parseScopes(text).filter((scope) => isOffline || scope !== offlineScope)
  checkClientScopes(settings, client, scopes)
  return scopes
}
