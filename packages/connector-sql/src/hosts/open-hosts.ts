import type { ConnectionPool, Database, LagDialect } from '../dialect/database.ts'
import { type Host, replicaHosts } from './find-host.ts'
import { createHostPool, type HostPoolOptions } from './host-pool.ts'
import { type ListedHost, type ServerAddress, serverAddresses, type ServerAddresses } from './server-addresses.ts'
import type { ReplicaSettings, ServerSettings, TargetSession } from '../settings.ts'

/** How a connector opens its hosts. */
interface HostKind extends Omit<HostPoolOptions, 'hosts'> {
  /**
   * Opens a pool of one host, whose connections reject if it is not `wanted`; undefined: not checked. `connections` of them
   * at most.
   */
  readonly open: (host: ListedHost, wanted: TargetSession | undefined, connections?: 1) => ConnectionPool
}

/** The purpose of one server's pool. */
export interface PoolUse {
  /** Its connections reject if the server is not in this state; undefined: not checked. */
  readonly wanted: TargetSession | undefined
  /** Maximum connections; undefined: as set in the settings. */
  readonly connections: 1 | undefined
  /** Its statements have no time limit. */
  readonly migrates: boolean
}

/** A database on network servers. */
export interface ServerKind extends Omit<HostKind, 'open'> {
  readonly lag: LagDialect
  readonly open: (address: ServerAddress, use: PoolUse) => ConnectionPool
}

/**
 * The pools of a data source on servers: for all statements, for migrations, and of its replicas.
 * @throws {InvalidOption} a list of hosts is malformed
 */
export function openServers(
  settings: Omit<ServerSettings, 'replicas'> & { readonly replicas?: ReplicaSettings | undefined },
  { fault, lag, open }: ServerKind
): Pick<Database, 'open' | 'forMigration' | 'replicas'> {
  const { replicas: _replicas, ...primary } = settings
  const addresses = serverAddresses(primary)
  const opened = (migrates: boolean) => (): ConnectionPool =>
    openHosts(addresses, {
      fault,
      open: ({ address }, wanted, connections) =>
        open(address, { wanted, connections: migrates ? 1 : connections, migrates })
    })
  const copy = { wanted: undefined, connections: undefined, migrates: false }
  const replicas = replicaHosts(settings, { lag, open: ({ address }) => open(address, copy) })
  return { open: opened(false), forMigration: opened(true), replicas }
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
