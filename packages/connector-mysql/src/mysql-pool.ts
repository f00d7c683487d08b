import { connect, type Socket } from 'node:net'
import {
  type Connection,
  type ConnectionPool,
  createOpenSockets,
  type RawRow,
  type Statement,
  type StatementResult,
  type TargetSession,
  whenAborted
} from '@modelwire/connector-sql'
import { type AnswerBounds, AnswerTooLarge, StatementCancelled } from '@modelwire/core/connector'
import mysql from 'mysql2'
import { checkTarget } from './check-target.ts'
import { countConnections } from './count-connections.ts'
import { type BusyStatement, killStatement } from './kill-statement.ts'
import { isOfServer, mysqlFault } from './mysql-fault.ts'

/** What the pool needs beside the driver's own options. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, to become free, or to close; 0 for ever. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0 for ever. */
  readonly statementTimeout: number
  /** The first statement of each connection. */
  readonly session: Statement
  /** What the host of each connection has to be; undefined where it is not asked. */
  readonly wanted: TargetSession | undefined
}

/** A pool whose callers wait for a connection for a limited time, and for a statement too. */
export function createPool(
  options: mysql.PoolOptions,
  { connectTimeout, statementTimeout, session, wanted }: PoolLimits
): ConnectionPool {
  const sockets = createOpenSockets()
  const stream = ({ config }: { config: Server }): Socket => sockets.add(openSocket(config))
  const pool = mysql.createPool({ ...options, stream, ...(connectTimeout > 0 && { connectTimeout }) })
  // A connection that breaks leaves the pool with its first error; another one would end the process.
  pool.on('connection', (connection) => connection.on('error', () => {}))
  const begin = createBegin(session, wanted)
  const { connectionLimit: _limit, ...server } = options
  const kill: Limits['kill'] = (statement) =>
    killStatement({ ...server, ...(connectTimeout > 0 && { connectTimeout }) }, statement)
  // A connection that breaks while it is closed is closed.
  const endPool = async (): Promise<void> => new Promise((resolve) => pool.end(() => resolve()))
  const counted = countConnections(sockets.count, async () => {
    const connection = await takeConnection({ pool, begin, connectTimeout })
    return limitStatements(connection, { timeout: statementTimeout, kill })
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
      else end(connection)
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

type Answer = (error: Error | null, result?: mysql.QueryResult) => void

/** What may become of the statements of a connection. */
interface Limits {
  /** Milliseconds; 0 for ever. */
  readonly timeout: number
  /** Stops one in the server. */
  readonly kill: (statement: BusyStatement) => void
}

/**
 * A statement that takes too long, whose result is too large, or whose caller has left, ends its connection: whatever
 * came next would wait behind it. The driver's own limit of time leaves the connection at work, and its clock running
 * when the connection breaks.
 */
function limitStatements(connection: mysql.PoolConnection, { timeout, kill }: Limits): Connection {
  const send = ({ sql, parameters, atMost, signal }: Statement, callback: Answer): void => {
    if (signal?.aborted === true) return callback(new StatementCancelled())
    const values = [...parameters]
    const watches: (() => void)[] = []
    const answer = once((error, result) => {
      for (const stop of watches) stop()
      if (error !== null && isUnusable(error)) end(connection)
      callback(error, result)
    })
    // The abandoned statement goes on in the server, so it has to be killed there.
    const giveUp = (error: Error): void => {
      kill({ thread: connection.threadId, text: connection.format(sql, values) })
      answer(error)
    }
    if (timeout > 0) watches.push(watchTime(timeout, giveUp))
    watches.push(whenAborted(signal, () => giveUp(new StatementCancelled())))
    if (atMost !== undefined) watches.push(watchBytes(connection, atMost, answer))
    try {
      connection.query({ sql, values }, answer)
    } catch (error) {
      answer(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return {
    run: async (statement) =>
      new Promise((resolve, reject) => {
        send(statement, (error, result) => (error === null ? resolve(toResult(result)) : reject(error)))
      }),
    release: (isBroken) => (isBroken ? end(connection) : connection.release())
  }
}

/** The driver gives rows, or what a statement without rows did. */
function toResult(result: mysql.QueryResult | undefined): StatementResult {
  // Rows have names, with the driver's options used here. A procedure gives several lists of them.
  if (Array.isArray(result)) return { rows: result as RawRow[] }
  if (result === undefined) return { rows: [] }
  const { insertId, affectedRows, changedRows } = result
  const numChangedRows = changedRows === undefined ? undefined : BigInt(changedRows)
  const id = BigInt(insertId)
  return { rows: [], numAffectedRows: BigInt(affectedRows), numChangedRows, insertId: id === 0n ? undefined : id }
}

/** The driver also reports a connection that was ended. */
function once(answer: Answer): Answer {
  let isOver = false
  return (error, result) => {
    if (isOver) return
    isOver = true
    answer(error, result)
  }
}

function watchTime(timeout: number, giveUp: (error: Error) => void): () => void {
  const timer = setTimeout(() => giveUp(tookTooLong()), timeout)
  return () => clearTimeout(timer)
}

function tookTooLong(): Error {
  return Object.assign(new Error('the statement took too long'), { code: 'STATEMENT_TOO_LONG' })
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
 * After an error that is not the server's the state of the connection is unknown. A host that reads alone, or has lost
 * its cluster, is of no use either: another connection may lead to another one.
 */
function isUnusable(error: unknown): boolean {
  const kind = mysqlFault(error)?.kind
  return !isOfServer(error) || kind === 'hostNotReady' || kind === 'lost'
}

/** The driver would send a quit command, and go on reading. */
function end(connection: mysql.PoolConnection): void {
  connection.destroy()
  streamOf(connection).destroy()
}
