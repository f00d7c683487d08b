import { type LagDialect, sql } from '@modelwire/connector-sql'

/**
 * How far the replicas of MariaDB are: by the numbers of transactions, which any user may ask for. The primary needs its
 * binary log. MySQL counts in another way: there replicas are not found to be current.
 * @see https://mariadb.com/docs/server/ha-and-performance/standard-replication/gtid
 */
export const mysqlLag: LagDialect = {
  position: sql`select @@global.gtid_binlog_pos as position`,
  state: sql`select @@global.gtid_slave_pos as position, @@global.gtid_slave_pos <> '' as copies`,
  hasReached: (position, wanted) => {
    const reached = readPosition(position)
    return [...readPosition(wanted)].every(([domain, number]) => (reached.get(domain) ?? -1n) >= number)
  }
}

/** `0-1-27,1-4-12`: domain, server and number of the last transaction of each domain. */
function readPosition(text: string): ReadonlyMap<string, bigint> {
  const parts = text.split(',').map((part) => /^\s*(\d+)-\d+-(\d+)\s*$/.exec(part))
  return new Map(parts.map((part) => [part?.[1] ?? 'unreadable', BigInt(part?.[2] ?? 0)]))
}
