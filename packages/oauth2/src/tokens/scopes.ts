import { InvalidGrant, InvalidScope, ScopeNotAllowed } from '../errors.ts'
import type { Client } from '../clients/client.ts'

/** One scope. @see RFC 6749 section 3.3 */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * The scopes of a `scope` parameter, each once.
 * @throws {InvalidScope} one holds a sign that scopes must not hold
 */
export function parseScopes(text: string | undefined): readonly string[] {
  const scopes = (text ?? '').split(' ').filter((scope) => scope !== '')
  if (!scopes.every((scope) => scopeToken.test(scope))) throw new InvalidScope('the scope is malformed')
  return [...new Set(scopes)]
}

/** True when all of `scopes` are among `granted`. */
export function covers(granted: readonly string[], scopes: readonly string[]): boolean {
  return scopes.every((scope) => granted.includes(scope))
}

/** Those of `scopes` that the client may request now; one without any may request all. */
function grantable({ scopes: own }: Client, scopes: readonly string[]): readonly string[] {
  return own.length === 0 ? scopes : scopes.filter((scope) => own.includes(scope))
}

/**
 * What of granted scopes the client may still have.
 * @throws {InvalidGrant} nothing of it
 */
export function stillGranted(client: Client, granted: readonly string[]): readonly string[] {
  const left = grantable(client, granted)
  if (left.length > 0 || granted.length === 0) return left
  throw new InvalidGrant('the client may no longer have these scopes')
}

/** @throws {ScopeNotAllowed} the client is registered for other scopes; a client without any may request all */
export function checkClientScopes(client: Client, scopes: readonly string[]): void {
  if (grantable(client, scopes).length < scopes.length)
    throw new ScopeNotAllowed('the client may not request this scope')
}
