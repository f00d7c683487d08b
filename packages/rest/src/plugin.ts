import { checkOptions, compileOperation, type ModelRegistry, type Operation, queryLimitsKey } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { NotFoundHandlerTaken, RouteNotFound } from './errors.ts'
import { registerBodyParsers } from './input/body-parsers.ts'
import { defaultQueryStringLimits } from './input/parse-query-string.ts'
import { compileArguments, type ReadingOptions } from './input/read-arguments.ts'
import { planRoutes, type Route } from './mount-routes.ts'
import { listOperations } from './operations/list-operations.ts'
import { type RestOptions, RestOptionsSchema } from './options.ts'
import { createNegotiator } from './output/negotiate-type.ts'
import { createErrorHandler, type ErrorHandler } from './output/send-error.ts'
import { compileSending, type SendingOptions } from './output/send-result.ts'
import { Serializers } from './output/serialize-value.ts'
import { type MountedOperation, routeHandlers } from './route-handler.ts'
import { routeSchema } from './route-schema.ts'

/** What the operations of one `rest` share. */
interface Mounting {
  readonly registry: ModelRegistry
  readonly reading: ReadingOptions
  readonly sending: SendingOptions
  readonly sendError: ErrorHandler
}

function readingOptions(registry: ModelRegistry, { query = {}, arrayItemDelimiters }: RestOptions): ReadingOptions {
  const { depth = 12, conditions = 200, listItems = 2000, ...limits } = query
  return {
    version: registry.version.looseArguments ? 2 : 3,
    delimiters: arrayItemDelimiters?.filter((item) => typeof item === 'string' || item instanceof RegExp),
    queryLimits: { ...defaultQueryStringLimits, ...limits },
    // Named as in LoopBack: scripts see these keys in the `options` of a call.
    callerOptions: {
      prohibitHiddenPropertiesInQuery: true,
      maxDepthOfQuery: depth,
      maxDepthOfData: 32,
      [queryLimitsKey]: { depth, conditions, listItems }
    }
  }
}

/** Operations of all public models; a model defined by a model file without `public` was made public by `boot`. */
function reachableOperations(registry: ModelRegistry, options: RestOptions): Operation[][] {
  const models = registry.names().map((name) => registry.typeOf(name))
  return models.filter(({ definition }) => definition.public === true).map((model) => listOperations(model, options.sharedMethods))
}

function mountOperation({ registry, reading, sending, sendError }: Mounting, operation: Operation): MountedOperation {
  const call = compileOperation(operation, registry.guards, registry.remoteHooks)
  return { call, read: compileArguments(call, reading), send: compileSending(call, sending), callerOptions: reading.callerOptions, sendError }
}

function addRoute(scope: FastifyInstance, route: Route, mounted: MountedOperation): void {
  const { preHandler, ...handlers } = routeHandlers(mounted, route.endpoint)
  scope.route({
    method: route.verb,
    url: route.path,
    exposeHeadRoute: false,
    schema: routeSchema(route.operation),
    ...handlers,
    ...(preHandler === undefined ? {} : { preHandler }),
    config: { operation: route.operation }
  })
}

function addRoutes(scope: FastifyInstance, mounting: Mounting, options: RestOptions): void {
  const taken = new Set<string>()
  for (const operations of reachableOperations(mounting.registry, options)) {
    const mounted = new Map(operations.map((operation) => [operation, mountOperation(mounting, operation)]))
    for (const route of planRoutes(operations, options.normalizeHttpPath === true)) {
      const key = `${route.verb} ${route.path.toLowerCase().replace(/:[^/]+/g, ':')}`
      const operation = mounted.get(route.operation)
      // LB3: the first of two operations at one path answers
      if (taken.has(key) || operation === undefined) continue
      taken.add(key)
      addRoute(scope, route, operation)
    }
  }
}

/** Values are checked while arguments are read, by the same types: nothing is left for a validator, and answers are texts. */
function skipCompilers(scope: FastifyInstance): void {
  scope.setValidatorCompiler(() => () => true)
  scope.setSerializerCompiler(() => (value) => JSON.stringify(value))
}

function answerUnknownPaths(scope: FastifyInstance, options: RestOptions): void {
  if (options.notFound === false || scope.prefix === '' || scope.prefix === '/') return
  try {
    scope.setNotFoundHandler((request) => {
      throw new RouteNotFound(`no method answers ${request.method} ${request.url.split('?')[0] ?? ''}`)
    })
  } catch (cause) {
    throw new NotFoundHandlerTaken(`unknown paths below ${scope.prefix} are answered by another plugin; set notFound: false`, { key: 'notFound' }, { cause })
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation behind a route of `rest`. */
    operation?: Operation
  }
}

/**
 * Mounts all operations of all public models below Fastify's `prefix`. Register it after everything that adds models or
 * operations: it seals the registry.
 * @throws {RegistrySealed} (later) a model is defined afterwards
 * @throws {InvalidOption} an option is unknown or malformed
 * @throws {NotFoundHandlerTaken} another plugin answers unknown paths under the same prefix
 */
export async function rest(scope: FastifyInstance, options: RestOptions = {}): Promise<void> {
  checkOptions('rest', RestOptionsSchema, options)
  const registry: ModelRegistry = scope.models
  registry.seal()
  const { version, errorStatus } = registry.version
  const sendError = createErrorHandler({ ...options.errors, version: errorStatus ? 2 : version, compat: registry.compat })
  scope.setErrorHandler(sendError)
  registerBodyParsers(scope, options)
  skipCompilers(scope)
  if (!scope.hasRequestDecorator('operationContext')) scope.decorateRequest('operationContext', null)
  const sending = {
    negotiate: createNegotiator({ xml: options.answersXml === true, supportedTypes: options.supportedTypes }),
    serializers: new Serializers()
  }
  addRoutes(scope, { registry, reading: readingOptions(registry, options), sending, sendError }, options)
  answerUnknownPaths(scope, options)
}
