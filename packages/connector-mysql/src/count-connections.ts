import type { Connection, ConnectionPool } from '@modelwire/connector-sql'

/**
 * Counts what the driver does not tell of its pool: who waits for a connection, and which ones are in use.
 * @param opened how many are open, in use or not
 */
export function countConnections(
  opened: () => number,
  take: () => Promise<Connection>
): Required<Pick<ConnectionPool, 'connect' | 'state'>> {
  let [used, waiting] = [0, 0]
  return {
    connect: async () => {
      waiting++
      try {
        const connection = await take()
        used++
        const release: Connection['release'] = (isBroken) => {
          used--
          connection.release(isBroken)
        }
        return { run: (statement) => connection.run(statement), release }
      } finally {
        waiting--
      }
    },
    state: () => ({ open: opened(), idle: Math.max(0, opened() - used), waiting })
  }
}
