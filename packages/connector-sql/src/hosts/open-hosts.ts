import type { ConnectionPool } from '../connection/pool.ts'
import type { Host } from './find-host.ts'
import { createHostPool, type HostPoolOptions } from './host-pool.ts'
import type { ListedHost, ServerAddresses } from './server-addresses.ts'
import type { TargetSession } from './target-session.ts'

/** How a connector opens its hosts. */
export interface HostKind extends Omit<HostPoolOptions, 'hosts'> {
  /**
   * Opens a pool of one host, whose connections reject where it is not `wanted`; undefined: they do not ask.
   * `connections` of them at most.
   */
  readonly open: (host: ListedHost, wanted: TargetSession | undefined, connections?: 1) => ConnectionPool
}

/** The pool of a data source: that of its only host, or one that finds a suitable host among several. */
export function openHosts({ hosts, wanted, isRandom }: ServerAddresses, { open, ...kind }: HostKind): ConnectionPool {
  const [first] = hosts
  if (first !== undefined && hosts.length === 1 && wanted === 'any') return open(first, undefined)
  const ordered = isRandom ? shuffled(hosts) : hosts
  const passes: readonly TargetSession[] = wanted === 'prefer-standby' ? ['standby', 'any'] : [wanted]
  const tried = passes.flatMap((pass) =>
    ordered.map((host): Host => ({ name: host.name, open: (connections) => open(host, pass, connections) }))
  )
  return createHostPool({ ...kind, hosts: tried })
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
