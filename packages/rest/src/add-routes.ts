import type { ModelRegistry } from '@modelwire/core'
import type { FastifySchema } from 'fastify'
import type { MountedRoute, Operation } from '@modelwire/core/plugin'
import type { Mounting, MountedLayer } from './layers/layer.ts'
import { listOperations } from './operations/list-operations.ts'
import type { RestSettings } from './options.ts'
import { operationMounter, type RouteHandlers } from './route-handler.ts'
import { routeSchema } from './route-schema.ts'

/** A verb and a full path, with the endpoint that it serves. */
export type Route = MountedRoute

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '')

/** True when a request for `path` would also meet `pattern`. */
function covers(pattern: string, path: string): boolean {
  const [left, right] = [segments(pattern), segments(path)]
  return (
    left.length === right.length &&
    left.every((part, index) => part.startsWith(':') || part.toLowerCase() === right[index]?.toLowerCase())
  )
}

/** `myMethod` → `my-method`, in every segment that is not a parameter.'s `normalizeHttpPath`. */
function normalizePath(path: string): string {
  return path.split('/').map(dashed).join('/')
}

const dashed = (part: string): string =>
  part.startsWith(':')
    ? part
    : part
        .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
        .replaceAll('_', '-')
        .toLowerCase()

interface Entry {
  readonly operation: Operation
  readonly endpoint: Operation['endpoints'][number]
}

/** Verbs that an endpoint for all verbs gets: those that no endpoint for one verb answers at that path. */
function verbsLeft(
  endpoint: Operation['endpoints'][number],
  entries: readonly Entry[]
): readonly (typeof verbs)[number][] {
  return verbs.filter(
    (verb) => !entries.some((other) => other.endpoint.verb === verb && covers(other.endpoint.path, endpoint.path))
  )
}

/** HEAD is answered by GET, unless an endpoint for HEAD meets the path: `/count` is an id to `HEAD /:id`. */
function answersHead(endpoint: Operation['endpoints'][number], entries: readonly Entry[]): boolean {
  return (
    endpoint.verb === 'GET' &&
    !entries.some((other) => other.endpoint.verb === 'HEAD' && covers(other.endpoint.path, endpoint.path))
  )
}

/**
 * The routes of one model's operations, relative to the REST root. If several operations have the same verb and path, the
 * first one counts.
 * @see recordings crud/instance (HEAD) and remoting/routes
 */
export function planRoutes(operations: readonly Operation[], normalize: boolean): Route[] {
  const entries = operations.flatMap((operation) => operation.endpoints.map((endpoint) => ({ operation, endpoint })))
  return entries.flatMap(({ operation, endpoint }) => {
    const root = `/${operation.model.httpPath}`
    const relative = endpoint.path === '/' ? root : root + endpoint.path
    const path = normalize ? normalizePath(relative) : relative
    const own = endpoint.verb === 'ALL' ? verbsLeft(endpoint, entries) : [endpoint.verb]
    const all = answersHead(endpoint, entries) ? [...own, 'HEAD' as const] : own
    return all.map((verb): Route => ({ verb, path, operation, endpoint }))
  })
}

type PlanOptions = Pick<RestSettings, 'sharedMethods' | 'normalizeHttpPath'>

/**
 * Adds the routes of all operations of all public models, each with the layers that apply to its operation, and returns
 * them.
 */
export function addRoutes(mounting: Mounting, layers: readonly MountedLayer[]): Route[] {
  const { registry, settings } = mounting
  const mount = operationMounter(mounting, layers)
  const partsOf = (operation: Operation): RouteParts => {
    const { body, ...schema } = routeSchema(operation, settings.createdStatus)
    return { handlersOf: mount(operation), schema, withBody: body === undefined ? schema : { ...schema, body } }
  }
  const taken = new Set<string>()
  return reachableOperations(registry, settings).flatMap((operations) => {
    const routes = planRoutes(operations, normalizesPaths(operations, settings)).filter((one) => isFree(one, taken))
    const parts = new Map(operations.map((operation) => [operation, partsOf(operation)]))
    for (const route of routes) addRoute(mounting, route, parts.get(route.operation))
    return routes
  })
}

/** `remoting` of the model takes precedence over the option. */
function normalizesPaths([first]: readonly Operation[], { normalizeHttpPath }: PlanOptions): boolean {
  const own = first?.model.definition.remoting?.normalizeHttpPath
  return own ?? normalizeHttpPath
}

/** A model defined by a model file without `public` was made public by `boot`. */
function reachableOperations(registry: ModelRegistry, { sharedMethods }: PlanOptions): Operation[][] {
  const models = registry.names().map((name) => registry.typeOf(name))
  return models
    .filter(({ definition }) => definition.public === true)
    .map((model) => listOperations(model, sharedMethods))
}

/** LB3: the first of two operations at one path answers. */
function isFree({ verb, path }: Route, taken: Set<string>): boolean {
  const key = `${verb} ${path.toLowerCase().replace(/:[^/]+/g, ':')}`
  if (taken.has(key)) return false
  taken.add(key)
  return true
}

/** What the routes of one operation share. */
interface RouteParts {
  readonly handlersOf: (route: MountedRoute) => RouteHandlers
  readonly schema: FastifySchema
  readonly withBody: FastifySchema
}

function addRoute({ scope }: Mounting, route: Route, parts: RouteParts | undefined): void {
  if (parts === undefined) return
  const { preValidation, preHandler, handler, onSend } = parts.handlersOf(route)
  // Fastify refuses a body's schema where a request has none: methods of LoopBack may declare it all the same.
  const hasBody = route.verb !== 'GET' && route.verb !== 'HEAD'
  scope.route({
    method: route.verb,
    url: route.path,
    exposeHeadRoute: false,
    schema: hasBody ? parts.withBody : parts.schema,
    preValidation,
    preHandler,
    onSend,
    handler,
    config: { operation: route.operation }
  })
}
