import type { IncomingMessage } from 'node:http'
import { isReading, methodString, type MountedRoute, type Operation } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { routeFinder } from '@modelwire/rest'
import { makeEntry, otherRequests, type RouteEntry } from './route-entry.ts'

/** The entries of all routes, and which one a request belongs to. */
export interface RouteTable {
  readonly entries: readonly RouteEntry[]
  /** The entry for what no operation answers. */
  readonly other: RouteEntry
  readonly find: (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => RouteEntry
}

interface Placed extends MountedRoute {
  readonly url: string
}

/**
 * The entries of a server's operations.
 * @param alsoReading methods of the application, such as `Product.search`, that only read
 */
export function makeRouteTable(server: FastifyInstance, alsoReading: readonly string[]): RouteTable {
  const routes = server.models.mounts.flatMap(({ prefix, routes: own }) =>
    own.map((route): Placed => ({ ...route, url: prefix + route.path }))
  )
  const entries = entriesOf(routes, new Set(alsoReading))
  const other = makeEntry(otherRequests, ['static files, pages, web sockets and all else'], false)
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
