import { connect, type Socket } from 'node:net'
import { callbackify, promisify } from 'node:util'
import { createOpenSockets } from '@modelwire/connector-sql'
import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import mysql from 'mysql2'

/** What the pool needs beside the driver's own options. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, to become free, or to close; 0 for ever. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0 for ever. */
  readonly statementTimeout: number
}

/** A pool whose callers wait for a connection for a limited time, and for a statement too. */
export function createPool(options: mysql.PoolOptions, { connectTimeout, statementTimeout }: PoolLimits): MysqlPool {
  const sockets = createOpenSockets()
  const stream = ({ config }: { config: Server }): Socket => sockets.add(openSocket(config))
  const pool = mysql.createPool({ ...options, stream, ...(connectTimeout > 0 && { connectTimeout }) })
  const end = promisify(pool.end.bind(pool))
  return {
    getConnection: (callback) => {
      const take = limitWait(callback, connectTimeout)
      pool.getConnection((error, connection) =>
        take(error, error ? undefined : limitStatements(connection, statementTimeout))
      )
    },
    end: (callback) => {
      callbackify(async () => sockets.close(end, connectTimeout))(callback)
    }
  }
}

/** Where the driver connects to, as it read that from the options. */
interface Server {
  readonly host: string
  readonly port: number
  readonly socketPath?: string
}

/** As the driver would open it. */
function openSocket({ host, port, socketPath }: Server): Socket {
  return socketPath ? connect(socketPath) : connect({ host, port, keepAlive: true, noDelay: true })
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

type Answer = (error: unknown, result?: unknown) => void

/**
 * A statement that takes too long ends its connection, which ends the statement: whatever came next would wait behind it.
 * The driver's own limit leaves the connection at work, and its clock running when the connection breaks.
 */
function limitStatements(connection: mysql.PoolConnection, timeout: number): MysqlPoolConnection {
  const giveUp = (answer: Answer): void => {
    connection.destroy()
    answer(Object.assign(new Error('the statement took too long'), { code: 'STATEMENT_TOO_LONG' }))
  }
  return {
    query: (sql: string, values: readonly unknown[], callback?: Answer) => {
      const answer = once(callback ?? (() => {}))
      const timer = timeout > 0 ? setTimeout(() => giveUp(answer), timeout) : undefined
      const query = connection.query({ sql, values: [...values] }, (error, result) => {
        clearTimeout(timer)
        answer(error, result)
      })
      return { stream: (options: object) => query.stream(options) }
    },
    release: () => connection.release()
  } as MysqlPoolConnection // kysely describes the driver's two ways of calling `query`; it uses those above
}

/** The driver tells of a connection that was ended, too. */
function once(answer: Answer): Answer {
  let isOver = false
  return (error, result) => {
    if (!isOver) answer(error, result)
    isOver = true
  }
}
