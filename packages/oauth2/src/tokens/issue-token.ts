import { randomUUID } from 'node:crypto'
import type { Client } from '../clients/client.ts'
import type { TokenRequest } from '../options/option-functions.ts'
import type { UserFacts } from '../options/user-functions.ts'
import type { GrantFacts } from '../seams.ts'
import type { Extras } from '../store/facts.ts'
import type { ServerParts } from '../server-parts.ts'
import { type GrantKind, mayRefresh } from '../grants/grant-kind.ts'
import { lifetimeOf, refreshLifetime } from './lifetimes.ts'
import { makeToken, type MadeToken } from './make-token.ts'

/** What tokens are issued for. */
export interface IssueRequest {
  readonly client: Client
  /** Absent for a client that acts for itself. */
  readonly userId?: unknown
  readonly user?: UserFacts | undefined
  readonly scopes: readonly string[]
  readonly resources?: readonly string[] | undefined
  readonly grant: GrantKind
  /** What the refresh token stands for, where that is more. @see RFC 6749 section 6, RFC 8707 section 2.2 */
  readonly granted?: Pick<GrantFacts, 'scopes' | 'resources'> | undefined
  /** What it came from; a new family when absent. */
  readonly family?: string | undefined
  /** The latest end of the refresh token. */
  readonly refreshEnd?: Date | undefined
  readonly authTime?: Date | undefined
  readonly nonce?: string | undefined
  /** Further facts for `generateToken`. */
  readonly details?: Partial<TokenRequest>
}

/** What was issued. */
export interface Issued {
  readonly grant: GrantKind
  readonly facts: GrantFacts
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly extras: Readonly<Record<string, unknown>>
}

/** What `generateToken` is called with. */
export function tokenRequest(request: IssueRequest, more: Partial<TokenRequest> = {}): TokenRequest {
  const { client, user, scopes, grant, details = {} } = request
  return {
    grant: grant.title,
    client: client.record,
    ...(user === undefined ? {} : { user }),
    scope: scopes,
    ...details,
    ...more
  }
}

/** What the tokens will stand for. */
function factsFor({ settings }: ServerParts, request: IssueRequest): GrantFacts {
  const { client, userId, scopes, resources = [], grant, family = `grant:${randomUUID()}`, nonce, authTime } = request
  const seconds = lifetimeOf(settings, { kind: 'token', clientId: client.id, userId, scopes, grant })
  const issuedAt = new Date()
  return {
    clientId: client.id,
    ...(userId === undefined ? {} : { userId }),
    scopes,
    ...(resources.length === 0 ? {} : { resources }),
    grantType: grant.type,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + seconds * 1000),
    family,
    ...(nonce === undefined ? {} : { nonce }),
    ...(authTime === undefined ? {} : { authTime })
  }
}

/** What is stored for the refresh token alone. */
function grantedBeside({ granted, scopes, resources = [] }: IssueRequest): Extras {
  const { scopes: allScopes = scopes, resources: allResources = resources } = granted ?? {}
  return {
    refresh_scope: allScopes.length > scopes.length ? allScopes : undefined,
    refresh_resource: allResources.length > resources.length ? allResources : undefined
  }
}

async function makeAccessToken(parts: ServerParts, facts: GrantFacts, request: IssueRequest): Promise<MadeToken> {
  const { generateToken } = parts.settings.options
  if (generateToken !== undefined || parts.signAccessToken === undefined)
    return makeToken(generateToken, tokenRequest(request))
  return { id: await parts.signAccessToken(facts, request.client), extras: {} }
}

/** Makes and stores an access token, and a refresh token where the request wants one. */
export async function issueTokens(parts: ServerParts, request: IssueRequest): Promise<Issued> {
  const facts = factsFor(parts, request)
  const access = await makeAccessToken(parts, facts, request)
  const { generateToken } = parts.settings.options
  const refresh = mayRefresh(parts.settings, request.client, request.grant)
    ? makeToken(generateToken, tokenRequest(request, { refreshToken: true })).id
    : undefined
  // All that can fail comes before anything is stored.
  const extras = { ...access.extras }
  const issued = { grant: request.grant, facts, accessToken: access.id, refreshToken: refresh, extras }
  for (const extra of parts.responseExtras) Object.assign(extras, await extra(issued, request.client))
  const latest = new Date(facts.issuedAt.getTime() + refreshLifetime(parts.settings) * 1000)
  const expiresAt = request.refreshEnd ?? latest
  await parts.tokens.save({
    value: access.id,
    facts,
    ...(refresh === undefined ? {} : { refresh: { value: refresh, expiresAt }, extras: grantedBeside(request) })
  })
  return issued
}

/** The body of a token response, its members in LoopBack's order. */
export function tokenBody({ facts, accessToken, refreshToken, extras }: Issued): Record<string, unknown> {
  return {
    access_token: accessToken,
    expires_in: Math.round((facts.expiresAt.getTime() - facts.issuedAt.getTime()) / 1000),
    ...(facts.scopes.length === 0 ? {} : { scope: facts.scopes.join(' ') }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...extras,
    token_type: 'Bearer'
  }
}
