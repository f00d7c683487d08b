import type { IncomingMessage } from 'node:http'
import { isReading, methodString, type MountedRoute, type Operation } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { routeFinder } from '@modelwire/rest'
import { RouteEvidence } from './route-evidence.ts'

/** The side that answers the clients of a route: the old server, or Modelwire. */
export type Owner = 'old' | 'new'

/** Why a route has its owner. */
export type Cause = 'start' | 'command' | 'page' | 'equal answers' | 'error'

/** The name of the entry for all requests that match no operation. */
export const otherRequests = 'other'

/** An operation with all its endpoints, or all requests that match no operation: the unit of a handover. */
export interface RouteEntry {
  /** `Product.find`, or `other`. */
  readonly name: string
  /** `GET /api/Products`. */
  readonly endpoints: readonly string[]
  /** It only reads, so both sides may be called. */
  readonly reads: boolean
  owner: Owner
  since: Date
  cause: Cause
  /** It was handed back, and is only handed over again by a command or on the control page. */
  held: boolean
  readonly evidence: RouteEvidence
}

/** The entries of all routes, and the mapping of requests to them. */
export interface RouteTable {
  readonly entries: readonly RouteEntry[]
  /** The entry for requests that match no operation. */
  readonly other: RouteEntry
  readonly find: (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => RouteEntry
}

interface Placed extends MountedRoute {
  readonly url: string
}

/**
 * Makes the entries of a server's operations.
 * @param alsoReading methods of the application, such as `Product.search`, that only read
 */
export function makeRouteTable(server: FastifyInstance, alsoReading: readonly string[]): RouteTable {
  const routes = server.models.mounts.flatMap(({ prefix, routes: own }) =>
    own.map((route): Placed => ({ ...route, url: prefix + route.path }))
  )
  const entries = entriesOf(routes, new Set(alsoReading))
  const other = makeEntry(otherRequests, ['static files, pages, WebSockets and everything else'], false)
  const findRoute = routeFinder(server, routes)
  const find = (method: string, target: string): RouteEntry => {
    const found = findRoute(method, target)
    return (found && entries.get(methodString(found.operation))) ?? other
  }
  const sorted = [...entries.values()].toSorted((one, next) => (one.name < next.name ? -1 : 1))
  return { entries: [...sorted, other], other, find: (request) => find(methodOf(request), request.url ?? '/') }
}

/** A preflight belongs to the request that it is about. */
function methodOf({ method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>): string {
  return method === 'OPTIONS' ? (headers['access-control-request-method'] ?? method) : method
}

function entriesOf(routes: readonly Placed[], alsoReading: ReadonlySet<string>): Map<string, RouteEntry> {
  const byName = new Map<string, { operation: Operation; endpoints: string[] }>()
  for (const { verb, url, operation } of routes) {
    const name = methodString(operation)
    const cached = byName.get(name) ?? { operation, endpoints: [] }
    byName.set(name, cached)
    if (verb !== 'HEAD' || !cached.endpoints.includes(`GET ${url}`)) cached.endpoints.push(`${verb} ${url}`)
  }
  return new Map(
    Array.from(byName, ([name, { operation, endpoints }]) => [
      name,
      makeEntry(name, endpoints, onlyReads(operation) || alsoReading.has(name))
    ])
  )
}

/** A stream does not end, and what a function of the application does is not known. */
const onlyReads = ({ effect, runsApplicationCode }: Operation): boolean =>
  isReading(effect) && effect.verb !== 'stream' && runsApplicationCode !== true

/** An entry whose requests the old server answers. */
function makeEntry(name: string, endpoints: readonly string[], reads: boolean): RouteEntry {
  return {
    name,
    endpoints,
    reads,
    owner: 'old',
    since: new Date(),
    cause: 'start',
    held: false,
    evidence: new RouteEvidence()
  }
}
