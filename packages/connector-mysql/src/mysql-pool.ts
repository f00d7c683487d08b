import { connect, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { createOpenSockets, type Statement, StatementCancelled, takeBound, whenAborted } from '@modelwire/connector-sql'
import { type AnswerBounds, AnswerTooLarge } from '@modelwire/core'
import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import mysql from 'mysql2'
import { type BusyStatement, killStatement } from './kill-statement.ts'
import { isOfServer, mysqlFault } from './mysql-fault.ts'

/** What the pool needs beside the driver's own options. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, to become free, or to close; 0 for ever. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0 for ever. */
  readonly statementTimeout: number
  /** What each connection says first. */
  readonly session: Statement
}

/** A pool whose callers wait for a connection for a limited time, and for a statement too. */
export function createPool(
  options: mysql.PoolOptions,
  { connectTimeout, statementTimeout, session }: PoolLimits
): MysqlPool {
  const sockets = createOpenSockets()
  const stream = ({ config }: { config: Server }): Socket => sockets.add(openSocket(config))
  const pool = mysql.createPool({ ...options, stream, ...(connectTimeout > 0 && { connectTimeout }) })
  // A connection that breaks leaves the pool with its first error; another one would end the process.
  pool.on('connection', (connection) => connection.on('error', () => {}))
  const begin = createBegin(session)
  const { connectionLimit: _limit, ...server } = options
  const kill: Limits['kill'] = (statement) =>
    killStatement({ ...server, ...(connectTimeout > 0 && { connectTimeout }) }, statement)
  // A connection that breaks while it is closed is closed.
  const endPool = async (): Promise<void> => new Promise((resolve) => pool.end(() => resolve()))
  return {
    getConnection: (callback) => {
      const take = limitWait(callback, connectTimeout)
      pool.getConnection((error, connection) => {
        if (error) return take(error)
        begin(connection, (failure) =>
          take(failure, failure ? undefined : limitStatements(connection, { timeout: statementTimeout, kill }))
        )
      })
    },
    end: (callback) => {
      callbackify(async () => sockets.close(endPool, connectTimeout))(callback)
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

type Begin = (connection: mysql.PoolConnection, begun: (failure: Error | null) => void) => void

/** Makes the function that has a new connection say what it has to say first; one that fails there is of no use. */
function createBegin({ sql, parameters }: Statement): Begin {
  const begun = new WeakSet<object>()
  return (connection, done) => {
    // The pool hands out one object per connection.
    if (begun.has(connection)) return done(null)
    connection.query({ sql, values: [...parameters] }, (failure) => {
      if (failure === null) begun.add(connection)
      else end(connection)
      done(failure)
    })
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

type Answer = (error: unknown, result?: unknown) => void

/** What may become of the statements of a connection. */
interface Limits {
  /** Milliseconds; 0 for ever. */
  readonly timeout: number
  /** Stops one in the server. */
  readonly kill: (statement: BusyStatement) => void
}

/**
 * A statement that takes too long, whose result is too large, or for which nobody waits, ends its connection: whatever came next
 * would wait behind it. The driver's own limit of time leaves the connection at work, and its clock running when the
 * connection breaks.
 */
function limitStatements(connection: mysql.PoolConnection, { timeout, kill }: Limits): MysqlPoolConnection {
  const run = (sql: string, given: readonly unknown[], callback: Answer = () => {}): mysql.Query | undefined => {
    const { values, atMost, signal } = takeBound(given)
    const watches: (() => void)[] = []
    const answer = once((error, result) => {
      for (const stop of watches) stop()
      if (error !== null && error !== undefined && isUnusable(error)) end(connection)
      callback(error, result)
    })
    if (signal?.aborted === true) {
      callback(new StatementCancelled())
      return undefined
    }
    // What is given up goes on in the server, where nobody stops it.
    const giveUp: Answer = (error) => {
      kill({ thread: connection.threadId, text: connection.format(sql, values) })
      answer(error)
    }
    if (timeout > 0) watches.push(watchTime(timeout, giveUp))
    watches.push(whenAborted(signal, () => giveUp(new StatementCancelled())))
    if (atMost !== undefined) watches.push(watchBytes(connection, atMost, answer))
    try {
      return connection.query({ sql, values }, answer)
    } catch (error) {
      answer(error)
      throw error
    }
  }
  return {
    query: (sql: string, values: readonly unknown[], callback?: Answer) => {
      const query = run(sql, values, callback)
      return { stream: (options: object) => query?.stream(options) }
    },
    release: () => connection.release()
  } as MysqlPoolConnection // kysely describes the driver's two ways of calling `query`; it uses those above
}

/** The driver tells of a connection that was ended, too. */
function once(answer: Answer): Answer {
  let isOver = false
  return (error, result) => {
    if (isOver) return
    isOver = true
    answer(error, result)
  }
}

function watchTime(timeout: number, answer: Answer): () => void {
  const giveUp = (): void =>
    answer(Object.assign(new Error('the statement took too long'), { code: 'STATEMENT_TOO_LONG' }))
  const timer = setTimeout(giveUp, timeout)
  return () => clearTimeout(timer)
}

/** Counts what comes on a connection, where nothing comes but the result of the statement. */
function watchBytes(connection: mysql.PoolConnection, atMost: AnswerBounds, answer: Answer): () => void {
  const stream = streamOf(connection)
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.byteLength
    if (bytes > atMost.bytes) answer(new AnswerTooLarge('bytes', atMost))
  }
  stream.on('data', count)
  return () => stream.off('data', count)
}

/** The socket that the driver reads from at the moment, which is that of TLS where it is used. Its types leave it out. */
const streamOf = (connection: mysql.PoolConnection): Socket => (connection as unknown as { stream: Socket }).stream

/**
 * After an error that is not the server's nobody knows what the connection is doing. A host that reads alone, or has lost its
 * cluster, is of no use either: another connection may lead to another one.
 */
function isUnusable(error: unknown): boolean {
  const kind = mysqlFault(error)?.kind
  return !isOfServer(error) || kind === 'hostNotReady' || kind === 'lost'
}

/** The driver would say goodbye, and go on reading what comes. */
function end(connection: mysql.PoolConnection): void {
  connection.destroy()
  streamOf(connection).destroy()
}
