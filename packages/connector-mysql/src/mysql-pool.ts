import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import mysql from 'mysql2'

/** What the pool needs beside the driver's own options. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, or to become free; 0 for ever. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0 for ever. */
  readonly statementTimeout: number
}

/** A pool whose callers wait for a connection for a limited time, and for a statement too. */
export function createPool(options: mysql.PoolOptions, { connectTimeout, statementTimeout }: PoolLimits): MysqlPool {
  const pool = mysql.createPool({ ...options, ...(connectTimeout > 0 && { connectTimeout }) })
  return {
    getConnection: (callback) => {
      const take = limitWait(callback, connectTimeout)
      pool.getConnection((error, connection) =>
        take(error, error ? undefined : limitStatements(connection, statementTimeout))
      )
    },
    end: (callback) => pool.end(callback)
  }
}

type Take = (error: unknown, connection?: MysqlPoolConnection) => void
type GetConnection = Parameters<MysqlPool['getConnection']>[0]

/** A connection that comes too late goes back to the pool. */
function limitWait(callback: GetConnection, connectTimeout: number): Take {
  let isOver = false
  const finish: Take = (error, connection) => {
    isOver = true
    // Kysely's own type has the connection beside an error as well.
    callback(error, connection as MysqlPoolConnection)
  }
  const timer = connectTimeout > 0 ? setTimeout(() => finish(poolExhausted()), connectTimeout) : undefined
  return (error, connection) => {
    clearTimeout(timer)
    if (isOver) connection?.release()
    else finish(error, connection)
  }
}

function poolExhausted(): Error {
  return Object.assign(new Error('no connection became free in time'), { code: 'POOL_EXHAUSTED' })
}

/** After a statement that took too long the connection is still at work: it is closed, which ends the statement. */
function limitStatements(connection: mysql.PoolConnection, timeout: number): MysqlPoolConnection {
  let isLate = false
  return {
    query: (sql: string, values: readonly unknown[], callback?: (error: unknown, result: unknown) => void) => {
      const query = connection.query({ sql, values: [...values], ...(timeout > 0 && { timeout }) }, (error, result) => {
        isLate ||= error?.code === 'PROTOCOL_SEQUENCE_TIMEOUT'
        callback?.(error, result)
      })
      return { stream: (options: object) => query.stream(options) }
    },
    release: () => {
      if (isLate) connection.destroy()
      else connection.release()
    }
  } as MysqlPoolConnection // kysely describes the driver's two ways of calling `query`; it uses those above
}
