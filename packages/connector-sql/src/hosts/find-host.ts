import { DataSourceUnavailable } from '@modelwire/core'
import type { ConnectionPool } from '../connection/pool.ts'
import { firstInOrder } from './first-in-order.ts'

/** One host of a list. */
export interface Host {
  /** In messages. */
  readonly name: string
  /** Opens connections to it, each of which rejects where the host is not suitable; `connections` of them at most. */
  readonly open: (connections?: 1) => ConnectionPool
}

/**
 * The first suitable host of a list, of which `last` comes first where there is one.
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

/** Nothing is lost with what cannot be closed. */
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
