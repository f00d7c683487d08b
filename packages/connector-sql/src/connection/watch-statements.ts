import type { Statement } from '../sql.ts'
import type { ConnectionPool, StatementRunner } from './pool.ts'

/** Called when a statement has ended: its text, when it began on the clock of `performance.now()`, and the error of one that failed. */
export type StatementEnd = (sql: string, start: number, error?: unknown) => void

/** A pool that says of every statement that it ended, also where it failed. */
export function watchStatements(pool: ConnectionPool, ended: StatementEnd): ConnectionPool {
  const { connect, direct } = pool
  return {
    ...pool,
    connect: async () => {
      const connection = await connect()
      return { ...watched(connection, ended), release: (isBroken) => connection.release(isBroken) }
    },
    ...(direct && { direct: watched(direct, ended) })
  }
}

function watched(runner: StatementRunner, ended: StatementEnd): StatementRunner {
  const timed = async <Result>({ sql }: Statement, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now()
    try {
      const result = await work()
      ended(sql, start)
      return result
    } catch (error) {
      ended(sql, start, error)
      throw error
    }
  }
  const read = runner.read?.bind(runner)
  return {
    run: async (statement) => timed(statement, () => runner.run(statement)),
    ...(read && { read: async (statement, columns) => timed(statement, () => read(statement, columns)) })
  }
}
