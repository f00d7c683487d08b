import type { FastifyInstance } from 'fastify'
import Router, { type HTTPMethod } from 'find-my-way'

/** A route that is looked for. */
export interface FindableRoute {
  readonly verb: HTTPMethod
  /** On the server, with its prefix. */
  readonly url: string
}

/** Finds the route that a method and a request target lead to, as they came; undefined where none does. */
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

/** Makes the function that finds routes before the server has a request, by the server's own router and settings. */
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
