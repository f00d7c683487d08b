import type { FastifyInstance } from 'fastify'
import Router, { type HTTPMethod } from 'find-my-way'
import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'

/** Two public models with the same REST path. */
export interface SharedPath {
  /** The model whose methods take precedence. */
  readonly first: ModelType
  readonly second: ModelType
}

/** A route to be found. */
export interface FindableRoute {
  readonly verb: HTTPMethod
  /** On the server, with its prefix. */
  readonly url: string
}

/** Finds the route for a method and a request target, as received; undefined if there is none. */
export type FindRoute<Route> = (method: string, target: string) => Route | undefined

/** The settings that a server routes by. */
function routing({ initialConfig }: FastifyInstance) {
  const {
    caseSensitive = true,
    ignoreTrailingSlash = false,
    ignoreDuplicateSlashes = false,
    useSemicolonDelimiter = false,
    allowUnsafeRegex = false,
    maxParamLength = 100
  } = { ...initialConfig, ...initialConfig.routerOptions }
  return {
    caseSensitive,
    ignoreTrailingSlash,
    ignoreDuplicateSlashes,
    useSemicolonDelimiter,
    allowUnsafeRegex,
    maxParamLength
  }
}

/** Makes the function that finds routes before the server has a request, with the server's own router and settings. */
export function routeFinder<Route extends FindableRoute>(
  server: FastifyInstance,
  routes: readonly Route[]
): FindRoute<Route> {
  const router = Router(routing(server))
  // Only looked for, never called.
  for (const route of routes) router.on(route.verb, route.url, () => undefined, route)
  // The router takes any text for a method, and gives what was put there above.
  return (method, target) => router.find(method as HTTPMethod, target)?.store as Route | undefined
}

/** Public models with the REST path of an earlier one, in any case: at each verb and path the earlier one takes precedence. */
export function findSharedPaths(registry: ModelRegistry): readonly SharedPath[] {
  const models = registry.names().map((name) => registry.typeOf(name))
  const firsts = new Map<string, ModelType>()
  const shared: SharedPath[] = []
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const path = model.httpPath.toLowerCase()
    const first = firsts.get(path)
    if (first === undefined) firsts.set(path, model)
    else shared.push({ first, second: model })
  }
  return shared
}
