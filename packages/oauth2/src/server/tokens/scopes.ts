import { InvalidGrant, InvalidTarget, ScopeNotAllowed } from '../../errors.ts'
import { type Parameters, parseScopes } from '../../http/parameters.ts'
import { type GrantKind, mayRefresh, offlineScope } from '../../options/grant-kind.ts'
import type { Settings } from '../../options/settings.ts'
import type { Client } from '../clients/client.ts'

type ScopeSettings = Pick<Settings, 'rules' | 'scopes'>

/** Those of `scopes` that the client may request now: its own ones, else those that the server names. */
function grantable({ rules, scopes: named }: ScopeSettings, { scopes: own }: Client, scopes: readonly string[]) {
  if (own.length === 0) return rules.allowsAllWhenUnlisted ? scopes : scopes.filter((scope) => named.has(scope))
  // It is about the grants of a client, not about what it reaches.
  return scopes.filter((scope) => own.includes(scope) || (scope === offlineScope && named.has(scope)))
}

/**
 * The granted scopes that the client may still have.
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
 * The scopes of a request. `offline_access` is ignored if no refresh token can result from it.
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

/**
 * The resources that tokens are requested for: those of the request, else those granted before.
 * @param granted the resources of the code or refresh token; a request may name fewer
 * @throws {InvalidTarget} one is malformed, unknown to the server, or was not granted
 * @see RFC 8707 section 2
 */
export function readResources(
  { options }: Settings,
  parameters: Parameters,
  granted: readonly string[] | undefined
): readonly string[] {
  const requested = [...new Set(parameters.all('resource'))]
  if (requested.length === 0) return granted ?? []
  const configured = options.resources ?? []
  if (!requested.every((resource) => configured.includes(resource))) throw new InvalidTarget('unknown resource')
  if (granted !== undefined && !requested.every((resource) => granted.includes(resource)))
    throw new InvalidTarget('the resource is not covered by the original grant')
  return requested
}
