import type { IncomingMessage } from 'node:http'
import { decorateCaller } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import {
  type AuthenticateOptions,
  type Authenticating,
  type CompiledDemand,
  compileDemand,
  demandHook
} from './authenticate.ts'
import { lateRefusals, refusalsAtOnce } from './late-refusals.ts'
import { type PathRules, pathRules } from './path-rules.ts'
import { refuseNow } from './refuse-request.ts'

/** What a route requires of its callers, in `config.oauth2`; true only requires a token. */
export type RouteAccess = boolean | AuthenticateOptions

declare module 'fastify' {
  interface FastifyInstance {
    /** Protects routes with access tokens. */
    resourceServer: ResourceServer
  }
  interface FastifyContextConfig {
    /** Callers of this route need an access token. */
    oauth2?: RouteAccess
  }
}

/** A handler with Express's signature. */
export type ExpressHandler = (request: unknown, response: unknown, next: (error?: unknown) => void) => void

/** Requires a token of requests. */
export interface Authenticate {
  /** Makes a hook that requires a token, for `onRequest` of a route. */
  (options?: AuthenticateOptions): onRequestHookHandler
  /**
   * Requires a token of all requests at and below these paths.
   * @throws {PathInvalid} a path is malformed
   */
  (paths: string | readonly string[], options?: AuthenticateOptions): onRequestHookHandler
}

/** Protects routes. */
export interface ResourceServer {
  readonly authenticate: Authenticate
  /** Makes an Express handler that requires a token, for LoopBack applications. */
  readonly expressHandler: (options?: AuthenticateOptions) => ExpressHandler
}

/** Fastify's requests and replies, by the request that Express handlers see. */
type Known = WeakMap<IncomingMessage, { readonly request: FastifyRequest; readonly reply: FastifyReply }>

/** Sees every request first. */
function watchRequests(
  app: FastifyInstance,
  { headers, exposesCallerToExpress }: Authenticating,
  rules: PathRules
): Known {
  const exchanges: Known = new WeakMap()
  app.addHook('onRequest', (request, reply, done) => {
    headers?.clear(request)
    if (exposesCallerToExpress) exchanges.set(request.raw, { request, reply })
    return rules.run.call(app, request, reply, done)
  })
  return exchanges
}

function protectRoutes(app: FastifyInstance, hookOf: (options: AuthenticateOptions) => onRequestHookHandler): void {
  app.addHook('onRoute', (route) => {
    const access = route.config?.oauth2
    if (access === undefined || access === false) return
    const hook = hookOf(access === true ? {} : access)
    route.onRequest = [hook, route.onRequest ?? []].flat()
  })
}

const isPaths = (value: unknown): value is string | readonly string[] =>
  typeof value === 'string' || Array.isArray(value)

/**
 * Lets a server protect its routes: by path, by `config.oauth2` of a route, by a hook.
 * @throws {PathInvalid} (later) a path or a route of a scope is malformed
 */
export function createResourceServer(app: FastifyInstance, authenticating: Authenticating): ResourceServer {
  decorateCaller(app)
  if (!app.hasRequestDecorator('oauth2')) app.decorateRequest('oauth2', null)
  const rules = pathRules()
  const exchanges = watchRequests(app, authenticating, rules)
  const compile = (options: AuthenticateOptions): CompiledDemand => {
    if (options.session === true)
      app.log.warn('authenticate: tokens do not start a session: `session: true` has no effect')
    return compileDemand(options, authenticating)
  }
  const late = authenticating.refusesAtOnce ? refusalsAtOnce : lateRefusals(app)
  const hookOf = (options: AuthenticateOptions): onRequestHookHandler =>
    demandHook(compile(options), authenticating.refuse, refuseNow)
  protectRoutes(app, hookOf)
  function authenticate(first?: string | readonly string[] | AuthenticateOptions, second?: AuthenticateOptions) {
    if (!isPaths(first)) return hookOf(first ?? {})
    const demand = compile(second ?? {})
    const hook = late.unlessRefused(demandHook(demand, authenticating.refuse, late.refuse))
    for (const path of [first].flat()) rules.add(path, hook)
    return demandHook(demand, authenticating.refuse, refuseNow)
  }
  const expressHandler = (options: AuthenticateOptions = {}): ExpressHandler => {
    const hook = hookOf(options)
    return (raw, _response, next) => {
      // Express passes on the request that Fastify received.
      const found = exchanges.get(raw as IncomingMessage)
      if (found === undefined) next(new TypeError('the request did not come through this server'))
      else hook.call(app, found.request, found.reply, next)
    }
  }
  return { authenticate, expressHandler }
}
