import { hasDotSegment, requestPath, splitTarget } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { PathInvalid } from '../errors.ts'

/** The forms of a request's path to which rules are applied; undefined if it cannot be decoded. */
export interface ComparedPaths {
  /** As used by the router and the handler: the value of a parameter stays within its segment. */
  readonly routed: string | undefined
  /**
   * As other readers may interpret it: an encoded slash separates segments like any other. Undefined with dot segments,
   * which may lead anywhere.
   */
  readonly loose: string | undefined
}

const join = (segments: readonly string[]): string => `/${segments.join('/')}`.toLowerCase().replaceAll(/\/{2,}/g, '/')

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

interface PathRule {
  readonly isAt: (path: string | undefined) => boolean
  readonly hook: onRequestHookHandler
}

/** The rules of a route, independent of the request. */
interface RoutePlan {
  readonly hooks: readonly onRequestHookHandler[]
  /** Rules that depend on the values of a request's parameters: those of a route with parameters that do not fully cover it. */
  readonly open: readonly PathRule[]
  /** Number of rules at that time. */
  readonly rules: number
}

/** Hooks by path. */
export interface PathRules {
  /** @throws {PathInvalid} the path is malformed */
  readonly add: (path: string, hook: onRequestHookHandler) => void
  /** Runs the hooks of all paths that the request's path is at or below. */
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
 * Makes rules for paths. A path is protected according to its route and, if that has parameters, to their values, since
 * routers interpret many strings as the same path.
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

/**
 * The path of a request target, normalized so that it matches any interpretation: decoded, in lower case, without empty
 * segments. Undefined if it cannot be decoded.
 */
export function normalPath(target: string): string | undefined {
  const path = splitTarget(target)
  return path && join(path.segments)
}

/** The forms of a request's path to which rules are applied. */
export function comparedPaths(request: FastifyRequest): ComparedPaths {
  const path = requestPath(request)
  if (path === undefined) return { routed: undefined, loose: undefined }
  const closed = path.segments.map((segment) => segment.replaceAll(/[/;]/g, encodeURIComponent))
  return { routed: join(closed), loose: hasDotSegment(path) ? undefined : join(path.segments) }
}

function segmentSource(segment: string): string {
  if (/^:\w+$/.test(segment)) return '[^/]+'
  return segment.split('*').map(escapeText).join('.*')
}

/**
 * Makes the test whether a path is at or below `pattern`, a path in which `:name` matches a segment and `*` anything. If
 * undecidable, the path counts as protected.
 * @throws {PathInvalid} it is not a path
 */
export function compilePath(pattern: string): (path: string | undefined) => boolean {
  const hasOther = /[()[\]{}?+^$|\\]/.test(pattern)
  if (!pattern.startsWith('/') || hasOther)
    throw new PathInvalid(
      `"${pattern}" is not a valid path: it must start with /, and may contain :name and * only`,
      {}
    )
  const decoded = normalPath(pattern)
  if (decoded === undefined) throw new PathInvalid(`"${pattern}" is not a valid path: it cannot be decoded`, {})
  const segments = decoded.split('/').filter((segment) => segment !== '')
  const source = segments.map((segment) => `/${segmentSource(segment)}`).join('')
  // A path may hold line breaks, and letters of which there are two in lower case.
  const expression = new RegExp(`^${source}(?:[/;]|$)`, 'isu')
  return (path) => path === undefined || expression.test(path)
}
