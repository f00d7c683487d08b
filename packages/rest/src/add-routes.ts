import type { ModelRegistry } from '@modelwire/core'
import { compileOperation, type Operation, takesIdempotencyKey } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { compileArguments, type ReadingOptions } from './input/read-arguments.ts'
import { compileListFacts } from './lists/list-facts.ts'
import type { MakeIdempotent } from './idempotency/idempotent-requests.ts'
import { planRoutes, type Route } from './mount-routes.ts'
import { listOperations } from './operations/list-operations.ts'
import type { RestSettings } from './options.ts'
import type { ErrorHandler } from './output/send-error.ts'
import { compileSending, type SendingOptions } from './output/send-result.ts'
import { type MountedOperation, routeHandlers } from './route-handler.ts'
import { routeSchema } from './route-schema.ts'

/** What the operations of one `rest` share. */
export interface Mounting {
  readonly registry: ModelRegistry
  readonly reading: ReadingOptions
  readonly sending: SendingOptions
  readonly sendError: ErrorHandler
  /** Present where requests may have keys. */
  readonly idempotent: MakeIdempotent | undefined
  /** Requests may ask for admission alone. */
  readonly readmits: boolean
}

type PlanOptions = Pick<RestSettings, 'sharedMethods' | 'normalizeHttpPath'>

/** Adds the routes of all operations of all public models, and gives them. */
export function addRoutes(scope: FastifyInstance, mounting: Mounting, options: PlanOptions): Route[] {
  const taken = new Set<string>()
  const added: Route[] = []
  for (const operations of reachableOperations(mounting.registry, options)) {
    const mounted = new Map(operations.map((operation) => [operation, mountOperation(mounting, operation)]))
    const routes = planRoutes(operations, normalizesPaths(operations, options)).filter((one) => isFree(one, taken))
    for (const route of routes) addRoute(scope, route, mounted.get(route.operation), mounting)
    added.push(...routes)
  }
  return added
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

function mountOperation({ registry, reading, sending, sendError }: Mounting, operation: Operation): MountedOperation {
  const call = compileOperation(operation, registry.guardsOf(operation), registry.remoteHooks)
  const read = compileArguments(call, reading)
  const list = compileListFacts(operation, sending.settings)
  return {
    call,
    read,
    list,
    send: compileSending({ call, read, list }, sending),
    reading,
    sendError
  }
}

function addRoute(
  scope: FastifyInstance,
  route: Route,
  mounted: MountedOperation | undefined,
  { idempotent: makeIdempotent, readmits, sending }: Mounting
): void {
  if (mounted === undefined) return
  const idempotent = takesIdempotencyKey(route) ? makeIdempotent?.() : undefined
  const handlers = routeHandlers(mounted, route.endpoint, { idempotent, readmits })
  const { body, ...schema } = routeSchema(route.operation, sending.settings.createdStatus)
  // Fastify refuses a body's schema where a request has none: methods of LoopBack may declare it all the same.
  const hasBody = route.verb !== 'GET' && route.verb !== 'HEAD'
  scope.route({
    method: route.verb,
    url: route.path,
    exposeHeadRoute: false,
    schema: hasBody && body !== undefined ? { ...schema, body } : schema,
    ...handlers,
    config: { operation: route.operation }
  })
}
