import type { Endpoint, MountedRoute, Operation } from '@modelwire/core/plugin'

/** A verb and a whole path, with the operation's endpoint that it serves. */
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
  readonly endpoint: Endpoint
}

/** Verbs that an endpoint for all verbs gets: those that no endpoint for one verb answers at that path. */
function verbsLeft(endpoint: Endpoint, entries: readonly Entry[]): readonly (typeof verbs)[number][] {
  return verbs.filter(
    (verb) => !entries.some((other) => other.endpoint.verb === verb && covers(other.endpoint.path, endpoint.path))
  )
}

/** HEAD is answered by GET, unless an endpoint for HEAD meets the path: `/count` is an id to `HEAD /:id`. */
function answersHead(endpoint: Endpoint, entries: readonly Entry[]): boolean {
  return (
    endpoint.verb === 'GET' &&
    !entries.some((other) => other.endpoint.verb === 'HEAD' && covers(other.endpoint.path, endpoint.path))
  )
}

/**
 * The routes of one model's operations, relative to the REST root. Of several operations at one verb and path the first
 * counts.
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
