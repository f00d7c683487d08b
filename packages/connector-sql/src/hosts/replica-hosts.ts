import { InvalidOption } from '@modelwire/core/connector'
import type { ReplicaSettings, ServerSettings } from '../settings.ts'
import type { ConnectionPool } from '../connection/pool.ts'
import type { LagDialect } from './lag-dialect.ts'
import type { ReplicaHosts } from './replicas.ts'
import { type ListedHost, serverAddresses } from './server-addresses.ts'

/** How a connector reaches replicas. */
export interface ReplicaKind {
  readonly lag: LagDialect
  readonly open: (host: ListedHost) => ConnectionPool
}

/**
 * The replicas of a data source; undefined where none are named. Who connects, and the database, are those of the primary
 * unless their own address says otherwise.
 * @throws {InvalidOption} a list of hosts is malformed, or there is none
 */
export function replicaHosts(
  { replicas, ...settings }: Omit<ServerSettings, 'replicas'> & { readonly replicas?: ReplicaSettings | undefined },
  { lag, open }: ReplicaKind
): ReplicaHosts | undefined {
  if (replicas === undefined) return undefined
  const { maxLag, readAfterWrite, ...place } = replicas
  if (!place.url && !place.host) throw new InvalidOption('no host is named', { key: 'replicas' })
  if (!place.url && settings.url)
    throw new InvalidOption('the data source has an address: the replicas need one, too', { key: 'replicas.url' })
  const { url: _url, host: _host, hostname: _hostname, port: _port, ...login } = settings
  const { hosts } = serverAddresses({ ...login, ...place })
  return { hosts: hosts.map((host) => ({ name: host.name, open: () => open(host) })), maxLag, readAfterWrite, lag }
}
