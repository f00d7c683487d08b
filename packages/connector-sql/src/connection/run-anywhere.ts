import { throwIfLeft, untilLeft } from '@modelwire/core/connector'
import type { Statement } from '../sql.ts'
import type { Connection, ConnectionPool, StatementRunner } from './pool.ts'

/** Runs each statement on a connection of its own. A caller who leaves is refused at once. */
export function runAnywhere({ connect, readsRows }: ConnectionPool): StatementRunner {
  const use = <Result>({ signal }: Statement, work: (connection: Connection) => Promise<Result>): Promise<Result> =>
    untilLeft(signal, async () => {
      const connection = await connect()
      try {
        throwIfLeft(signal)
        return await work(connection)
      } finally {
        connection.release(false)
      }
    })
  return {
    run: (statement) => use(statement, (connection) => connection.run(statement)),
    ...(readsRows === true && {
      read: (statement, columns) => use(statement, (connection) => readOf(connection)(statement, columns))
    })
  }
}

/** The `read` of a runner that has one. */
export function readOf(runner: StatementRunner): NonNullable<StatementRunner['read']> {
  if (runner.read === undefined) throw new TypeError('the pool reads no rows')
  return runner.read.bind(runner)
}
