import type { DirectRunner } from './dialect.ts'
import type { StatementLog } from './settings.ts'
import type { Statement } from './sql.ts'

/** A runner that tells of every statement and how long it took, also where it fails. */
export function withLog(direct: DirectRunner, log: StatementLog): DirectRunner {
  const timed = async <Result>({ sql }: Statement, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now()
    try {
      return await work()
    } finally {
      log(sql, performance.now() - start)
    }
  }
  return {
    ...direct,
    run: async (statement) => timed(statement, () => direct.run(statement)),
    read: async (statement, columns) => timed(statement, () => direct.read(statement, columns))
  }
}
