import type { CallerId, Principal } from '@modelwire/core'
import { setCaller } from '@modelwire/core/plugin'
import { type Awaitable, toCallbackHook } from '@modelwire/server'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { InsufficientScope, InvalidToken, OAuthError, TokenMissing } from '../errors.ts'
import { readBearer } from '../http/read-bearer.ts'
import { comparedPaths } from './path-rules.ts'
import type { CallerHeaders, Refusal, Refuse, RefuseRequest } from './refuse-request.ts'
import { compileScopeRule, type NeededScopes, type ScopedCallers, type ScopeRule } from './scope-rule.ts'
import { freezeDeep, type TokenAccess } from './token-access.ts'

/** Scopes with a meaning inside of users: no client may get it by requesting a scope of that name. */
const reserved: ReadonlySet<string> = new Set(['reset-password'])

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's token allows; null if none was required or sent. */
    oauth2: TokenAccess | null
  }
}

/** A custom check of a token's scopes: calls back with an error if they are insufficient. */
export type CheckScopes = (request: unknown, scopes: readonly string[], callback: (error?: unknown) => void) => void

/** What `authenticate` requires of requests. */
export interface AuthenticateOptions {
  /** One of these scopes is required; or, by scope, the routes that it allows. */
  readonly scope?: ScopeRule
  /** Alias of `scope`. */
  readonly scopes?: ScopeRule
  readonly checkScopes?: CheckScopes
  /**
   * Requests without a token pass; a token that is sent must still be valid. With `'unknown'` it may also be one that is
   * not known here, if something later reads tokens of another kind.
   */
  readonly optional?: boolean | 'unknown'
  /** Tokens do not start a session: `true` is treated as `false`, with a warning. */
  readonly session?: boolean
}

/** The dependencies of authenticating requests. */
export interface Authenticating {
  readonly check: (token: string, request: FastifyRequest) => Awaitable<TokenAccess>
  readonly refuse: RefuseRequest
  /** Requests are refused by their path before hooks of inner scopes see them, as in LoopBack's component. */
  readonly refusesAtOnce: boolean
  /** Also read tokens from the query. */
  readonly inQuery: boolean
  readonly headers: CallerHeaders | undefined
  /** Routes that no scope mapping covers are allowed, as in LoopBack's component. */
  readonly allowsUnmapped: boolean
  /** The callers whose scopes were checked. */
  readonly scoped: ScopedCallers
  /** Express handlers see the caller as with LoopBack's component. */
  readonly exposesCallerToExpress: boolean
}

/** Checks a request: throws, or rejects with, the error that refuses it. */
type Demand = (request: FastifyRequest) => Promise<void>

interface ExpressFacts {
  accessToken?: unknown
  user?: unknown
  authInfo?: unknown
}

function exposeToExpress(request: FastifyRequest, access: TokenAccess, record: unknown): void {
  const { user, client } = access
  // Express and what runs in it put their own properties on the request.
  Object.assign(request.raw as ExpressFacts, {
    accessToken: record,
    user: user ?? {},
    authInfo: { accessToken: record, user, app: client, client }
  })
}

/** What a token established, for each request that it comes with. */
interface Established {
  readonly principal: Principal
  readonly record: object | null
}

type Establish = (request: FastifyRequest, access: TokenAccess) => void

/** Makes the function that makes it known who calls. A token that is remembered stands for the same caller each time. */
function makeEstablish({ headers, exposesCallerToExpress }: Authenticating): Establish {
  const remembered = new WeakMap<TokenAccess, Established>()
  const read = (access: TokenAccess): Established => {
    const record = access.record ?? tokenRecord(access)
    const made = { principal: freezeDeep(principalOf(access)), record: typeof record === 'object' ? record : null }
    // Scripts of LoopBack may add to a token; it is looked up anew for each request then.
    if (access.record === undefined && !exposesCallerToExpress) freezeDeep(made.record)
    remembered.set(access, made)
    return made
  }
  return (request, access) => {
    const { principal, record } = remembered.get(access) ?? read(access)
    request.oauth2 = access
    setCaller(request, principal, record)
    headers?.add(request, access)
    if (exposesCallerToExpress) exposeToExpress(request, access, record)
  }
}

/** Makes the function that finds out who calls, once per request; returns whether there is an authenticated caller. */
function makeIdentify(
  optional: boolean | 'unknown',
  { check, inQuery }: Authenticating,
  establish: Establish
): (request: FastifyRequest) => Promise<boolean> {
  return async (request) => {
    if (request.oauth2 !== null) return true
    const token = readBearer(request, inQuery)
    // A caller that is authenticated by another kind of token needs no OAuth token.
    if (optional !== false && (token === undefined || request.principal !== null)) return false
    if (token === undefined) throw new TokenMissing('an access token is required')
    try {
      establish(request, await check(token, request))
    } catch (error) {
      if (optional === 'unknown' && error instanceof InvalidToken) return false
      throw error
    }
    return true
  }
}

function checkWith(checkScopes: CheckScopes, request: FastifyRequest, scopes: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    checkScopes(request.raw, scopes, (error) => {
      if (error === undefined || error === null) resolve()
      else
        reject(
          error instanceof OAuthError
            ? error
            : new InsufficientScope('the access token lacks a required scope', { cause: error })
        )
    })
  })
}

/**
 * The scopes that a request needs, for the challenge of a refusal. The route decides, not how the client wrote its
 * path.
 */
function scopesFor(request: FastifyRequest, needed: NeededScopes): readonly string[] | undefined {
  return needed({ method: request.method, path: comparedPaths(request).routed })
}

/** True where no mapping covers a request, however its path is read. */
function isUnmapped(request: FastifyRequest, needed: NeededScopes): boolean {
  const { loose } = comparedPaths(request)
  return loose !== undefined && needed({ method: request.method, path: loose }) === undefined
}

function checkScope(request: FastifyRequest, needed: NeededScopes, { allowsUnmapped }: Authenticating): void {
  const scopes = scopesFor(request, needed)
  if (scopes === undefined && allowsUnmapped && isUnmapped(request, needed)) return
  if (scopes === undefined) throw new InsufficientScope('no scope allows this route')
  const held = request.oauth2?.scopes ?? []
  if (scopes.length > 0 && !scopes.some((scope) => held.includes(scope)))
    throw new InsufficientScope('the access token lacks a required scope')
}

/** A requirement, with the scopes that satisfy it. */
export interface CompiledDemand {
  readonly demand: Demand
  readonly needed: NeededScopes
}

/**
 * Compiles the options of `authenticate`.
 * @throws {PathInvalid} a route of a scope is malformed
 */
export function compileDemand(options: AuthenticateOptions, authenticating: Authenticating): CompiledDemand {
  const { scope, scopes = scope, checkScopes, optional = false } = options
  const needed = compileScopeRule(scopes)
  const needsNoScope = scopes === undefined
  const judge = async (request: FastifyRequest): Promise<void> => {
    if (checkScopes === undefined && needsNoScope) return
    if (checkScopes === undefined) checkScope(request, needed, authenticating)
    else await checkWith(checkScopes, request, request.oauth2?.scopes ?? [])
    authenticating.scoped.add(request)
  }
  const identify = makeIdentify(optional, authenticating, makeEstablish(authenticating))
  const demand: Demand = async (request) => {
    if (await identify(request)) await judge(request)
  }
  return { demand, needed }
}

/** Makes the hook that enforces a requirement. */
export function demandHook(
  { demand, needed }: CompiledDemand,
  writeRefusal: RefuseRequest,
  refuse: Refuse
): onRequestHookHandler {
  return toCallbackHook(demand, (error, request, reply, done) => {
    if (!(error instanceof OAuthError)) return refuse({ error: error as Error }, request, reply, done) // nothing else is thrown
    const write: Refusal['write'] = (answer) => writeRefusal(error, answer, scopesFor(request, needed) ?? [])
    return refuse({ error, write }, request, reply, done)
  })
}

/** The caller as access rules see it: user, client, and scopes. Methods without scopes of their own are left to the rules. */
function principalOf({ clientId, userId, scopes }: TokenAccess): Principal {
  const granted = scopes.filter((scope) => !reserved.has(scope))
  // Ids have the type that the property of the user model declares.
  return { userId: (userId ?? undefined) as CallerId | undefined, appId: clientId, scopes: [...granted, 'DEFAULT'] }
}

/** The token as handlers and scripts of LoopBack know it, without its value. */
function tokenRecord(access: TokenAccess): Record<string, unknown> {
  const { clientId, userId, scopes, issuedAt, expiresAt } = access
  const lifetime =
    issuedAt === undefined || expiresAt === undefined ? undefined : (expiresAt.getTime() - issuedAt.getTime()) / 1000
  return { appId: clientId, userId, scopes: [...scopes], issuedAt, expiredAt: expiresAt, expiresIn: lifetime }
}
