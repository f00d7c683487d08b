import { ClientUnknown } from '../errors.ts'
import { authorizationCode } from '../grants/authorization-code.ts'
import { clientCredentials } from '../grants/client-credentials.ts'
import type { GrantKind } from '../grants/grant-kind.ts'
import type { ServerParts } from '../server-parts.ts'
import { issueTokens } from './issue-token.ts'
import { checkClientScopes } from './scopes.ts'

/** What code of the application wants a token for. */
export interface TokenOrder {
  readonly clientId: string
  /** Absent for a token of the client itself. */
  readonly userId?: unknown
  readonly scopes?: readonly string[]
  /** Servers that the token is for; any when absent. */
  readonly resources?: readonly string[]
}

/** An access token that code asked for. */
export interface OrderedToken {
  readonly accessToken: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

/** Issues an access token without an endpoint. */
export type IssueToken = (order: TokenOrder) => Promise<OrderedToken>

/** No browser took part, and nothing is refreshed. */
const inCode = (kind: GrantKind): GrantKind => ({
  ...kind,
  isRefreshable: false,
  isLoopbackRefreshable: false,
  isInteractive: false
})

/**
 * Makes the function that issues tokens for code of the application. The user does not have to permit them.
 * @throws {ClientUnknown} (the function) no client has this id
 * @throws {ScopeNotAllowed} (the function) the client is registered for other scopes
 */
export function makeIssueToken(parts: ServerParts): IssueToken {
  return async ({ clientId, userId, scopes = [], resources = [] }) => {
    const client = await parts.clients.find(clientId)
    if (client === undefined) throw new ClientUnknown('no client has this id')
    checkClientScopes(parts.settings, client, scopes)
    const user = userId === undefined ? undefined : await parts.users.find(userId)
    const grant = inCode(userId === undefined ? clientCredentials : authorizationCode)
    const { accessToken, facts } = await issueTokens(parts, { client, userId, user, scopes, resources, grant })
    return { accessToken, scopes: facts.scopes, expiresAt: facts.expiresAt }
  }
}
