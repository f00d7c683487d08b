import { methodString } from '@modelwire/core/plugin'
import type { DocumentedRoute } from './documented-routes.ts'

/**
 * The ids of operations in documents: `Wine.find`, or `Wine.exists__get_Wines_{id}_exists` for each endpoint of a method
 * that has several.
 * @see recording explorer/swagger
 */
export function operationIds(routes: readonly DocumentedRoute[]): ReadonlyMap<DocumentedRoute, string> {
  const uses = new Map<string, number>()
  for (const { operation } of routes) {
    const name = methodString(operation)
    uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return new Map(
    routes.map((route) => {
      const name = methodString(route.operation)
      return [route, uses.get(name) === 1 ? name : `${name}__${route.verb}${route.path.replace(/[/:]+/g, '_')}`]
    })
  )
}
