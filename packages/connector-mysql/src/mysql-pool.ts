import { connect, type Socket } from 'node:net'
import { type ConnectionPool, createOpenSockets, type Statement, type TargetSession } from '@modelwire/connector-sql'
import type { CancelPolicy } from '@modelwire/core/connector'
import mysql from 'mysql2'
import { checkTarget } from './check-target.ts'
import { countConnections } from './count-connections.ts'
import { endConnection, MysqlConnection } from './mysql-connection.ts'

/** What the pool needs beside the driver's own options. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, to become free, or to close; 0 for ever. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0 for ever. */
  readonly statementTimeout: number
  /** When statements are cancelled whose callers have left. */
  readonly cancels: CancelPolicy
  /** The first statement of each connection. */
  readonly session: Statement
  /** What the host of each connection has to be; undefined where it is not asked. */
  readonly wanted: TargetSession | undefined
}

/** A pool whose callers wait for a connection for a limited time, and for a statement too. */
export function createPool(
  options: mysql.PoolOptions,
  { connectTimeout, statementTimeout, cancels, session, wanted }: PoolLimits
): ConnectionPool {
  const sockets = createOpenSockets()
  const stream = ({ config }: { config: Server }): Socket => sockets.add(openSocket(config))
  const pool = mysql.createPool({ ...options, stream, ...(connectTimeout > 0 && { connectTimeout }) })
  // A connection that breaks leaves the pool with its first error; another one would end the process.
  pool.on('connection', (connection) => connection.on('error', () => {}))
  const begin = createBegin(session, wanted)
  const { connectionLimit: _limit, ...server } = options
  const limits = { timeout: statementTimeout, cancels, server }
  // A connection that breaks while it is closed is closed.
  const endPool = async (): Promise<void> => new Promise((resolve) => pool.end(() => resolve()))
  const counted = countConnections(sockets.count, async () => {
    return new MysqlConnection(await takeConnection({ pool, begin, connectTimeout }), limits)
  })
  return {
    ...counted,
    end: async () => sockets.close(endPool, connectTimeout)
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

type Begin = (connection: mysql.PoolConnection, begun: (failure: Error | null) => void) => void

/** Makes the function that runs the first statement of a new connection; one that fails there is discarded. */
function createBegin({ sql, parameters }: Statement, wanted: TargetSession | undefined): Begin {
  const begun = new WeakSet<object>()
  return (connection, done) => {
    // The pool returns one object per connection.
    if (begun.has(connection)) return done(null)
    const finish = (failure: Error | null): void => {
      if (failure === null) begun.add(connection)
      else endConnection(connection)
      done(failure)
    }
    connection.query({ sql, values: [...parameters] }, (failure) => {
      if (failure === null) checkTarget(wanted, connection, finish)
      else finish(failure)
    })
  }
}

interface Taking {
  readonly pool: mysql.Pool
  readonly begin: Begin
  readonly connectTimeout: number
}

/** A connection of the pool; one that comes too late goes back. */
async function takeConnection({ pool, begin, connectTimeout }: Taking): Promise<mysql.PoolConnection> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const giveUp = (): void => {
      isOver = true
      reject(poolExhausted())
    }
    const timer = connectTimeout > 0 ? setTimeout(giveUp, connectTimeout) : undefined
    const finish = (failure: Error | null, connection: mysql.PoolConnection): void => {
      clearTimeout(timer)
      if (failure !== null) reject(failure)
      else if (isOver) connection.release()
      else resolve(connection)
    }
    pool.getConnection((error, connection) => {
      if (error) finish(error, connection)
      else begin(connection, (failure) => finish(failure, connection))
    })
  })
}

function poolExhausted(): Error {
  return Object.assign(new Error('no connection became free in time'), { code: 'POOL_EXHAUSTED' })
}
