import { throwIfLeft, untilLeft } from '@modelwire/core/connector'
import type { ConnectionPool, StatementRunner } from './pool.ts'

/** Runs each statement on a connection of its own. A caller who leaves is refused at once. */
export function runAnywhere({ connect }: ConnectionPool): StatementRunner {
  return {
    run: (statement) =>
      untilLeft(statement.signal, async () => {
        const connection = await connect()
        try {
          throwIfLeft(statement.signal)
          return await connection.run(statement)
        } finally {
          connection.release(false)
        }
      })
  }
}
