import type { Principal } from '@modelwire/core'
import { andThen, type Awaitable, setCaller, toCallbackHook } from '@modelwire/core/plugin'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { InsufficientScope, InvalidToken, OAuthError } from '../errors.ts'
import { comparedPaths } from './compile-path.ts'
import { freezeDeep } from './freeze-deep.ts'
import type { CallerHeaders } from './http-headers.ts'
import { principalOf, tokenRecord } from './principal.ts'
import { readBearer } from './read-bearer.ts'
import type { Refusal, Refuse, RefuseRequest } from './refuse-request.ts'
import { TokenMissing } from './resource-errors.ts'
import { compileScopeRule, type NeededScopes, type ScopeRule } from './scope-rule.ts'
import type { ScopedCallers } from './scoped-callers.ts'
import type { TokenAccess } from './token-access.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the presented token allows; null where none was required or presented. */
    oauth2: TokenAccess | null
  }
}

/** Decides by itself whether the scopes of a token do: calls back with an error when they do not. */
export type CheckScopes = (request: unknown, scopes: readonly string[], callback: (error?: unknown) => void) => void

/** What `authenticate` requires of requests. */
export interface AuthenticateOptions {
  /** One of these scopes is needed; or, by scope, the routes that it opens. */
  readonly scope?: ScopeRule
  /** Alias of `scope`. */
  readonly scopes?: ScopeRule
  readonly checkScopes?: CheckScopes
  /**
   * Requests without a token pass; a token that is presented must be valid all the same. With `'unknown'` it may also be one
   * that is not known here, where something that comes later reads tokens of another kind.
   */
  readonly optional?: boolean | 'unknown'
  /** Tokens start no session: `true` is taken for `false`, with a warning. */
  readonly session?: boolean
}

/** The dependencies of authenticating requests. */
export interface Authenticating {
  readonly check: (token: string, request: FastifyRequest) => Awaitable<TokenAccess>
  readonly refuse: RefuseRequest
  /** Requests are refused by their path before hooks of inner scopes see them, as in LoopBack's component. */
  readonly refusesAtOnce: boolean
  /** Also look for tokens in the query. */
  readonly inQuery: boolean
  readonly headers: CallerHeaders | undefined
  /** What no route of a scope mapping covers is allowed, as in LoopBack's component. */
  readonly allowsUnmapped: boolean
  /** The callers whose scopes were checked. */
  readonly scoped: ScopedCallers
  /** Handlers of Express see the caller as LoopBack's component left it. */
  readonly exposesCallerToExpress: boolean
}

/** Checks a request: throws, or rejects with, the error that refuses it. */
export type Demand = (request: FastifyRequest) => Awaitable<void>

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

/** What is known by a token, for each request that it comes with. */
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
): (request: FastifyRequest) => Awaitable<boolean> {
  const wait = async (request: FastifyRequest, checking: Promise<TokenAccess>): Promise<boolean> => {
    try {
      establish(request, await checking)
    } catch (error) {
      if (optional === 'unknown' && error instanceof InvalidToken) return false
      throw error
    }
    return true
  }
  return (request) => {
    if (request.oauth2 !== null) return true
    const token = readBearer(request, inQuery)
    // A caller that is authenticated by another kind of token needs no OAuth token.
    if (optional !== false && (token === undefined || request.principal !== null)) return false
    if (token === undefined) throw new TokenMissing('an access token is required')
    if (optional === 'unknown') return wait(request, (async () => check(token, request))())
    const access = check(token, request)
    if (access instanceof Promise) return wait(request, access)
    establish(request, access)
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

/** A demand, with the scopes that would meet it. */
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
  const judge = (request: FastifyRequest): Awaitable<void> => {
    if (checkScopes === undefined && needsNoScope) return undefined
    const judging =
      checkScopes === undefined
        ? checkScope(request, needed, authenticating)
        : checkWith(checkScopes, request, request.oauth2?.scopes ?? [])
    return andThen(judging, () => authenticating.scoped.add(request))
  }
  const identify = makeIdentify(optional, authenticating, makeEstablish(authenticating))
  const demand: Demand = (request) => {
    const isKnown = identify(request)
    if (isKnown === true) return judge(request)
    return andThen(isKnown, (isIdentified) => (isIdentified ? judge(request) : undefined))
  }
  return { demand, needed }
}

/** Makes the hook that carries out a demand. */
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
