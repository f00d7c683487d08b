import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { comparedPaths, compilePath, normalPath } from './compile-path.ts'

interface PathRule {
  readonly isAt: (path: string | undefined) => boolean
  readonly hook: onRequestHookHandler
}

/** The rules of a route, independent of the request. */
interface RoutePlan {
  readonly hooks: readonly onRequestHookHandler[]
  /** Rules that depend on what a request's parameters hold: those of a route with parameters that do not cover all of it. */
  readonly open: readonly PathRule[]
  /** Number of rules that were known. */
  readonly rules: number
}

/** Hooks of paths. */
export interface PathRules {
  /** @throws {PathInvalid} the path is malformed */
  readonly add: (path: string, hook: onRequestHookHandler) => void
  /** Runs the hooks of all paths that a request is at or below. */
  readonly run: onRequestHookHandler
}

/** Runs hooks one after the other. */
function runHooks(
  hooks: readonly onRequestHookHandler[],
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
): void {
  const [first, ...others] = hooks
  if (first === undefined) return done()
  if (others.length === 0) return first.call(app, request, reply, done)
  return first.call(app, request, reply, (error) => {
    if (error === undefined || error === null) runHooks(others, app, request, reply, done)
    else done(error)
  })
}

const hasParameters = (url: string): boolean => url.includes(':') || url.includes('*')

function planRoute(url: string | undefined, rules: readonly PathRule[]): RoutePlan {
  // No route: what the client wrote decides.
  if (url === undefined) return { hooks: [], open: rules, rules: rules.length }
  const path = normalPath(url)
  const covering = rules.filter(({ isAt }) => isAt(path))
  const open = hasParameters(url) ? rules.filter((rule) => !covering.includes(rule)) : []
  return { hooks: covering.map(({ hook }) => hook), open, rules: rules.length }
}

/**
 * Makes rules about paths. A path is protected by the route that it leads to and, where that has parameters, by what they
 * hold: routers read many texts as the same path.
 */
export function pathRules(): PathRules {
  const rules: PathRule[] = []
  const plans = new WeakMap<object, RoutePlan>()
  const planFor = ({ config, url }: FastifyRequest['routeOptions']): RoutePlan => {
    const cached = plans.get(config)
    if (cached?.rules === rules.length) return cached
    const plan = planRoute(url, rules)
    plans.set(config, plan)
    return plan
  }
  return {
    add: (path, hook) => {
      rules.push({ isAt: compilePath(path), hook })
    },
    run(request, reply, done) {
      if (rules.length === 0) return done()
      const { hooks, open } = planFor(request.routeOptions)
      if (open.length === 0) return runHooks(hooks, this, request, reply, done)
      const { loose } = comparedPaths(request)
      const more = open.filter(({ isAt }) => isAt(loose)).map(({ hook }) => hook)
      return runHooks([...hooks, ...more], this, request, reply, done)
    }
  }
}
