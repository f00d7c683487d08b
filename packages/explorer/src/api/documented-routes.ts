import type { Mount, MountedRoute, Operation } from '@modelwire/core/plugin'

/** One verb and path as documents show it. */
export interface DocumentedRoute {
  readonly verb: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head'
  /** `/Wines/{id}/region`, relative to the API's root. */
  readonly path: string
  readonly operation: Operation
}

const verbsOfAll = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const

/** A method for all verbs is shown once, as LoopBack shows it; a HEAD that a GET answers is not shown. */
function isShown({ verb, endpoint, operation, path }: MountedRoute, all: readonly MountedRoute[]): boolean {
  if (!operation.documented) return false
  if (endpoint.verb !== 'ALL') return verb === endpoint.verb
  const mounted = new Set(
    all.filter((route) => route.operation === operation && route.path === path).map((route) => route.verb)
  )
  return verb === verbsOfAll.find((one) => mounted.has(one))
}

/** `/Wines/:id` → `/Wines/{id}` */
function templateOf(path: string): string {
  return path.replace(/:([^/]+)/g, '{$1}')
}

/**
 * The routes of an API that documents show, in the order of their mounting.
 * @param order names of models that come first, in their order
 */
export function documentedRoutes({ routes }: Mount, order: readonly string[] = []): DocumentedRoute[] {
  const places = new Map(order.map((name, place) => [name, place]))
  const placeOf = ({ operation }: DocumentedRoute): number => places.get(operation.model.name) ?? order.length
  const byPath = new Map<string, MountedRoute[]>()
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  return routes
    .filter((route) => isShown(route, byPath.get(route.path) ?? []))
    .map(({ verb, path, operation }) => ({
      // Lower case of the verbs that a route can have.
      verb: verb.toLowerCase() as DocumentedRoute['verb'],
      path: templateOf(path),
      operation
    }))
    .toSorted((left, right) => placeOf(left) - placeOf(right))
}

/** True when the path has a parameter of this name. */
export function isInPath({ path }: DocumentedRoute, name: string): boolean {
  return path.includes(`{${name}}`) || path.includes(`{${name}?}`)
}
