import type { ConnectionPool, StatementRunner } from './pool.ts'

/** Runs each statement on a connection of its own. */
export function runAnywhere({ connect }: ConnectionPool): StatementRunner {
  return {
    run: async (statement) => {
      const connection = await connect()
      try {
        return await connection.run(statement)
      } finally {
        connection.release(false)
      }
    }
  }
}
