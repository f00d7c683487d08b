import { DataSourceUnavailable } from '@modelwire/core'
import type { ConnectionPool, LagDialect, ReplicaHosts } from '../dialect/database.ts'
import { InvalidOption } from '@modelwire/server'
import type { ReplicaSettings, ServerSettings } from '../settings.ts'
import { type ListedHost, serverAddresses } from './server-addresses.ts'

/** How a connector connects to replicas. */
interface ReplicaKind {
  readonly lag: LagDialect
  readonly open: (host: ListedHost) => ConnectionPool
}

/** Milliseconds that an attempt has for itself before the next one is made beside it. */
const headStartMs = 500

/** One host of a list. */
export interface Host {
  /** Name for messages. */
  readonly name: string
  /** Opens connections to it, each of which rejects if the host is not suitable; `connections` of them at most. */
  readonly open: (connections?: 1) => ConnectionPool
}

/**
 * The first suitable host of a list, starting with `last` if there is one.
 * @throws {DataSourceUnavailable} none is suitable: with the reason of each
 */
export async function findHost(hosts: readonly Host[], last: Host | undefined): Promise<Host> {
  const order = last === undefined ? hosts : [last, ...hosts.filter((host) => host !== last)]
  try {
    const at = await firstInOrder(order.map((host) => () => probe(host)))
    // The place is one of the list.
    return order[at] as Host
  } catch (error) {
    throw refused(order, error)
  }
}

/** Closes a pool, ignoring errors: nothing is lost if it cannot be closed. */
export async function endQuietly(pool: ConnectionPool): Promise<void> {
  await Promise.allSettled([pool.end()])
}

/** Makes one connection to see whether the host is suitable. */
async function probe({ open }: Host): Promise<void> {
  const pool = open(1)
  try {
    const connection = await pool.connect()
    connection.release(false)
  } finally {
    void endQuietly(pool)
  }
}

function refused(order: readonly Host[], error: unknown): Error {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const reasons = order.map(({ name }, at) => `${name} (${reasonOf(errors[at])})`)
  return new DataSourceUnavailable(`no host is suitable: ${reasons.join(', ')}`, { cause: errors[0] })
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The index of the attempt that succeeds first. Each starts when the previous one has failed, or takes long, so that a
 * silent host does not delay the others.
 * @throws {AggregateError} all of them failed: with their errors, in the order of the attempts
 */
export async function firstInOrder(attempts: readonly (() => Promise<unknown>)[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = []
    let [begun, failed] = [0, 0]
    let timer: NodeJS.Timeout | undefined
    const fail = (at: number, error: unknown): void => {
      failures[at] = error
      failed++
      if (failed === attempts.length) reject(new AggregateError(failures))
      else begin()
    }
    const run = async (attempt: () => Promise<unknown>, at: number): Promise<void> => {
      try {
        await attempt()
        clearTimeout(timer)
        begun = attempts.length
        resolve(at)
      } catch (error) {
        fail(at, error)
      }
    }
    const begin = (): void => {
      clearTimeout(timer)
      const at = begun++
      const attempt = attempts[at]
      if (attempt === undefined) return
      timer = setTimeout(begin, headStartMs)
      void run(attempt, at)
    }
    begin()
  })
}

/**
 * The replicas of a data source; undefined if none are named. User and database are those of the primary unless their own
 * url sets them.
 * @throws {InvalidOption} a list of hosts is malformed, or there is none
 */
export function replicaHosts(
  { replicas, ...settings }: Omit<ServerSettings, 'replicas'> & { readonly replicas?: ReplicaSettings | undefined },
  { lag, open }: ReplicaKind
): ReplicaHosts | undefined {
  if (replicas === undefined) return undefined
  const { maxLag, readAfterWrite, ...place } = replicas
  if (!place.url && !place.host) throw new InvalidOption('no host is given', { key: 'replicas' })
  if (!place.url && settings.url)
    throw new InvalidOption('the data source has a url: the replicas need one, too', { key: 'replicas.url' })
  const { url: _url, host: _host, hostname: _hostname, port: _port, ...login } = settings
  const { hosts } = serverAddresses({ ...login, ...place })
  return { hosts: hosts.map((host) => ({ name: host.name, open: () => open(host) })), maxLag, readAfterWrite, lag }
}
