import { randomUUID } from 'node:crypto'
import { OptionMissing, ServerError } from '../../errors.ts'
import { type GrantKind, mayRefresh } from '../../options/grant-kind.ts'
import type { GenerateToken, TokenRequest, UserFacts } from '../../options/option-functions.ts'
import type { Settings } from '../../options/settings.ts'
import type { Client } from '../clients/client.ts'
import type { TokenSigner } from '../keys/signing-key.ts'
import type { Extras, GrantFacts } from '../store/grant-facts.ts'
import { randomText } from '../store/secrets.ts'
import type { TokenVault } from '../store/token-vault.ts'
import { lifetimeOf, refreshLifetime } from './lifetimes.ts'

/** A token or code, with additional members of the response. */
interface MadeToken {
  readonly id: string
  readonly extras: Readonly<Record<string, unknown>>
}

/** Members of a response that are the server's own. */
const own: ReadonlySet<string> = new Set([
  'id',
  'access_token',
  'expires_in',
  'scope',
  'refresh_token',
  '__proto__',
  'constructor',
  'prototype'
])

/**
 * Generates a token or code with the application's function, or of random letters and digits.
 * @throws {ServerError} the function gives no text
 */
export function makeToken(generate: GenerateToken | undefined, request: TokenRequest): MadeToken {
  if (generate === undefined) return { id: randomText(), extras: {} }
  const made: unknown = generate(request)
  if (typeof made === 'string' && made !== '') return { id: made, extras: {} }
  const id: unknown = typeof made === 'object' && made !== null && 'id' in made ? made.id : undefined
  if (typeof id !== 'string' || id === '') throw new ServerError('generateToken must return a string or { id }')
  const extras = Object.entries(made ?? {}).filter(([name, value]) => !own.has(name) && Boolean(value))
  return { id, extras: Object.fromEntries(extras) }
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/**
 * The claims of an access token. `sub` is the user, or the client where it acts for itself.
 * @see RFC 9068 section 2.2
 */
function accessTokenClaims(
  facts: GrantFacts,
  { issuer, audience }: { readonly issuer: string; readonly audience: string }
): Record<string, unknown> {
  const { clientId, userId, scopes, resources = [], issuedAt, expiresAt, authTime } = facts
  const [first = audience, ...others] = resources
  return {
    iss: issuer,
    sub: String(userId ?? clientId),
    aud: others.length === 0 ? first : resources,
    client_id: clientId,
    iat: secondsOf(issuedAt),
    exp: secondsOf(expiresAt),
    jti: randomUUID(),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(authTime === undefined ? {} : { auth_time: secondsOf(authTime) })
  }
}

/**
 * Makes the function that creates access tokens which can be verified without asking this server; undefined if tokens are
 * opaque.
 * @throws {OptionMissing} the tokens have no issuer
 * @see RFC 9068
 */
export function accessTokenSigner(
  { issuer, options }: Settings,
  keys: TokenSigner | undefined
): Issuing['signAccessToken'] {
  if (keys === undefined || options.accessTokens !== 'jwt') return undefined
  if (issuer === undefined) throw new OptionMissing('JWT access tokens require an issuer', { key: 'issuer' })
  const names = { issuer, audience: options.audience ?? issuer }
  return (facts) => keys.sign(accessTokenClaims(facts, names), { typ: 'at+jwt' })
}

/** The inputs for issuing tokens. */
interface IssueRequest {
  readonly client: Client
  /** Absent for a client that acts for itself. */
  readonly userId?: unknown
  readonly user?: UserFacts | undefined
  readonly scopes: readonly string[]
  readonly resources?: readonly string[] | undefined
  readonly grant: GrantKind
  /**
   * The facts of the refresh token, if they exceed the request's.
   * @see RFC 6749 section 6, RFC 8707 section 2.2
   */
  readonly granted?: Pick<GrantFacts, 'scopes' | 'resources'> | undefined
  /** The family of the original grant; a new one when absent. */
  readonly family?: string | undefined
  /** The latest expiry of the refresh token. */
  readonly refreshEnd?: Date | undefined
  readonly authTime?: Date | undefined
  readonly nonce?: string | undefined
  /** Further facts for `generateToken`. */
  readonly details?: Partial<TokenRequest>
}

/** The issued tokens. */
export interface Issued {
  readonly grant: GrantKind
  readonly facts: GrantFacts
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly extras: Readonly<Record<string, unknown>>
}

/** Generates and stores an access token, and a refresh token if requested. */
export type IssueTokens = (request: IssueRequest) => Promise<Issued>

/** The dependencies for issuing tokens. */
interface Issuing {
  readonly settings: Settings
  readonly tokens: TokenVault
  /** Creates JWT access tokens; undefined if tokens are opaque. */
  readonly signAccessToken: ((facts: GrantFacts) => Promise<string>) | undefined
  /** Creates the ID token that accompanies an access token, if any. */
  readonly makeIdToken: ((issued: Issued) => Promise<string | undefined>) | undefined
}

/** The argument of `generateToken`. */
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
function factsFor(settings: Settings, request: IssueRequest): GrantFacts {
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

async function makeAccessToken(
  { settings, signAccessToken }: Issuing,
  facts: GrantFacts,
  request: IssueRequest
): Promise<MadeToken> {
  const { generateToken } = settings.options
  if (generateToken !== undefined || signAccessToken === undefined)
    return makeToken(generateToken, tokenRequest(request))
  return { id: await signAccessToken(facts), extras: {} }
}

/** Makes the function that issues tokens. */
export function tokenIssuer(issuing: Issuing): IssueTokens {
  const { settings, tokens, makeIdToken } = issuing
  return async (request) => {
    const { client, grant, refreshEnd } = request
    const facts = factsFor(settings, request)
    const { id: accessToken, extras } = await makeAccessToken(issuing, facts, request)
    const refreshToken = mayRefresh(settings, client, grant)
      ? makeToken(settings.options.generateToken, tokenRequest(request, { refreshToken: true })).id
      : undefined
    const issued = { grant, facts, accessToken, refreshToken, extras }
    // All that can fail comes before anything is stored.
    const idToken = await makeIdToken?.(issued)
    const expiresAt = refreshEnd ?? new Date(facts.issuedAt.getTime() + refreshLifetime(settings) * 1000)
    await tokens.save({
      value: accessToken,
      facts,
      ...(refreshToken === undefined
        ? {}
        : { refresh: { value: refreshToken, expiresAt }, extras: grantedBeside(request) })
    })
    return idToken === undefined ? issued : { ...issued, extras: { ...extras, id_token: idToken } }
  }
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
