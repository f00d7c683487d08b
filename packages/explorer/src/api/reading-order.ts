import type { DocumentedRoute } from './documented-routes.ts'

/** The path of a model, that of its records, and all others. */
function placeOfPath({ path, operation }: DocumentedRoute): number {
  const own = `/${operation.model.httpPath}`
  const place = [own, `${own}/{id}`].indexOf(path)
  return place === -1 ? 2 : place
}

/** Operations that every model has, methods of the application, operations of relations. */
function groupOf({ operation: { effect } }: DocumentedRoute): number {
  if (effect.relation !== undefined || effect.via !== undefined) return 2
  return effect.verb === 'call' ? 1 : 0
}

const verbs: readonly DocumentedRoute['verb'][] = ['get', 'post', 'patch', 'put', 'delete', 'head']

const collate = new Intl.Collator('en').compare

function compareRoutes(left: DocumentedRoute, right: DocumentedRoute): number {
  const isBuiltIn = groupOf(left) === 0 && groupOf(right) === 0
  return (
    groupOf(left) - groupOf(right) ||
    (isBuiltIn ? placeOfPath(left) - placeOfPath(right) : 0) ||
    collate(left.path, right.path) ||
    verbs.indexOf(left.verb) - verbs.indexOf(right.verb)
  )
}

/**
 * Routes in the order in which people look for them. Models stay in their order; within one, the operations that every model has
 * come first, those of lists and of records ahead, then methods of the application, then relations, each by path.
 */
export function readingOrder(routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  const models = new Map<unknown, DocumentedRoute[]>()
  for (const route of routes) {
    const { model } = route.operation
    models.set(model, [...(models.get(model) ?? []), route])
  }
  return [...models.values()].flatMap((ofModel) => ofModel.toSorted(compareRoutes))
}
