import type { StatementLog } from '../settings.ts'
import type { Statement } from '../sql.ts'
import type { ConnectionPool, StatementRunner } from './pool.ts'

/** A pool that logs every statement and its duration, also where it fails. */
export function withLog({ connect, direct, end }: ConnectionPool, log: StatementLog): ConnectionPool {
  return {
    connect: async () => {
      const connection = await connect()
      return { ...logged(connection, log), release: (isBroken) => connection.release(isBroken) }
    },
    ...(direct && { direct: logged(direct, log) }),
    end
  }
}

function logged(runner: StatementRunner, log: StatementLog): StatementRunner {
  const timed = async <Result>({ sql }: Statement, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now()
    try {
      return await work()
    } finally {
      log(sql, performance.now() - start)
    }
  }
  const read = runner.read?.bind(runner)
  return {
    run: async (statement) => timed(statement, () => runner.run(statement)),
    ...(read && { read: async (statement, columns) => timed(statement, () => read(statement, columns)) })
  }
}
