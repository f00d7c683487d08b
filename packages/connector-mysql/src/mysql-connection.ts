import type { Connection, RawRow, Statement, StatementResult } from '@modelwire/connector-sql'
import {
  type AnswerBounds,
  AnswerTooLarge,
  BusyConnection,
  type CancelPolicy,
  StatementCancelled,
  stopAfter,
  whenAborted
} from '@modelwire/core/connector'
import mysql from 'mysql2'
import { isOfServer, mysqlFault } from './mysql-fault.ts'
import { PartedRows, streamOf } from './parted-rows.ts'

/** When and how the statements of a connection are stopped. */
export interface StatementLimits {
  /** Milliseconds that a statement may take; 0: no limit. */
  readonly timeout: number
  readonly cancels: CancelPolicy
  /** Options for the connection that stops one. */
  readonly server: mysql.ConnectionOptions
}

type Answer = (error: Error | null, result?: mysql.QueryResult) => void

/** A statement that was sent. */
interface Sending {
  readonly sql: string
  readonly values: unknown[]
  readonly answer: Answer
}

/**
 * A connection of the pool. A statement that takes too long, or whose caller has disconnected, is killed, and the
 * connection is kept; one whose result is too large closes it. The driver's own timeout would leave the connection busy,
 * and its timer running if the connection breaks.
 */
export class MysqlConnection implements Connection {
  readonly #connection: mysql.PoolConnection
  readonly #limits: StatementLimits
  readonly #busy: BusyConnection
  #sending: Sending | undefined

  constructor(connection: mysql.PoolConnection, limits: StatementLimits) {
    this.#connection = connection
    this.#limits = limits
    const methods = { cancel: () => this.#kill(), end: () => this.#sending?.answer(notKilled()) }
    this.#busy = new BusyConnection(methods, limits.cancels)
  }

  async run(statement: Statement): Promise<StatementResult> {
    const sent = this.#busy.add()
    const watches = [whenAborted(statement.signal, () => this.#busy.leave(sent))]
    let late: Error | undefined
    const { timeout } = this.#limits
    const stop = (): void => {
      late = tookTooLong()
      this.#busy.stop(sent)
    }
    if (timeout > 0) watches.push(watchTime(timeout, stop))
    const { error, result } = await this.#send(statement)
    for (const end of watches) end()
    this.#busy.remove(sent)
    if (sent.isCancelled) await this.#settle()
    const refusal = late ?? (sent.isCancelled ? new StatementCancelled() : undefined)
    // A function such as sleep() that is killed may return a wrong value; what was written is written.
    if (refusal !== undefined && (error !== null || Array.isArray(result))) throw refusal
    if (error !== null) throw error
    return toResult(result)
  }

  /** The server's limits count the whole statement, while a client reads; that of this process counts each part. */
  async *readParts(statement: Statement): AsyncGenerator<StatementResult> {
    const rows = new PartedRows(this.#connection)
    const sent = this.#busy.add()
    const forget = whenAborted(statement.signal, () => this.#busy.leave(sent))
    let late: Error | undefined
    const stop = (): void => {
      late = tookTooLong()
      this.#busy.stop(sent)
    }
    const answer: Answer = (error) => rows.finish(error ?? undefined)
    this.#sending = { sql: statement.sql, values: [...statement.parameters], answer }
    const unwatch = statement.atMost && watchBytes(this.#connection, statement.atMost, answer)
    const next = (): ReturnType<PartedRows['next']> => stopAfter(this.#limits.timeout, stop, rows.next())
    let isOver = false
    try {
      rows.send(statement)
      let part = await next()
      while (part !== undefined) {
        yield { rows: part }
        part = await next()
      }
      isOver = true
    } catch (error) {
      isOver = true
      if (isUnusable(error)) endConnection(this.#connection)
      throw late ?? (sent.isCancelled ? new StatementCancelled() : error)
    } finally {
      // A statement that is left is of no use: it is stopped, and its connection stays.
      if (!isOver) this.#busy.stop(sent)
      if (!isOver) await rows.drop()
      unwatch?.()
      forget()
      this.#sending = undefined
      this.#busy.remove(sent)
      if (sent.isCancelled) await this.#settle()
    }
    if (late !== undefined || sent.isCancelled) throw late ?? new StatementCancelled()
  }

  release(isBroken: boolean): void {
    if (isBroken) endConnection(this.#connection)
    else this.#connection.release()
  }

  async #send({ sql, parameters, atMost }: Statement): Promise<{ error: Error | null; result?: mysql.QueryResult }> {
    const connection = this.#connection
    const values = [...parameters]
    return new Promise((resolve) => {
      let forget: (() => void) | undefined
      // The driver also reports a connection that was ended.
      const answer = once((error, result) => {
        this.#sending = undefined
        forget?.()
        if (error !== null && isUnusable(error)) endConnection(connection)
        resolve(result === undefined ? { error } : { error, result })
      })
      this.#sending = { sql, values, answer }
      if (atMost !== undefined) forget = watchBytes(connection, atMost, answer)
      try {
        connection.query({ sql, values }, answer)
      } catch (error) {
        answer(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  async #kill(): Promise<void> {
    const { threadId } = this.#connection
    if (this.#sending === undefined) return
    const text = this.#connection.format(this.#sending.sql, this.#sending.values)
    await killStatement(this.#limits.server, { thread: threadId, text })
  }

  /** Makes sure that a kill that arrived after the statement had ended does not affect the next one. */
  async #settle(): Promise<void> {
    await this.#busy.settling
    const timer = setTimeout(() => this.#sending?.answer(notKilled()), killTimeoutMs)
    await this.#send({ sql: 'do 0', parameters: [] })
    clearTimeout(timer)
  }
}

/** The statement that a connection is executing. */
interface BusyStatement {
  readonly thread: number
  /** The text as sent. */
  readonly text: string
}

/** Milliseconds that killing a statement may take. */
const killTimeoutMs = 5000

/**
 * Has the server stop a statement, over a short-lived connection. Behind a proxy the connection may lead to another
 * server, whose thread of the same number does something else: that one is left alone. Rejects where it is not known
 * whether the statement, or a later one, is stopped.
 */
async function killStatement(server: mysql.ConnectionOptions, { thread, text }: BusyStatement): Promise<void> {
  const connection = mysql.createConnection(server)
  let isSent = false
  await new Promise<void>((resolve, reject) => {
    const finish = (error: Error | null): void => {
      clearTimeout(timer)
      connection.destroy()
      if (error === null || !isSent || isOfServer(error)) resolve()
      else reject(error)
    }
    const timer = setTimeout(finish, killTimeoutMs, notKilled())
    connection.on('error', finish)
    const isIt = 'select id from information_schema.processlist where id = ? and info = ?'
    connection.query<mysql.RowDataPacket[]>(isIt, [thread, text], (error, rows) => {
      if (error !== null || rows.length === 0) return finish(null)
      isSent = true
      connection.query('kill query ?', [thread], finish)
    })
  })
}

/** As of a connection that was lost, which it is then. */
function notKilled(): Error {
  return Object.assign(new Error('the statement could not be stopped'), { code: 'PROTOCOL_CONNECTION_LOST' })
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

function watchTime(timeout: number, stop: () => void): () => void {
  const timer = setTimeout(stop, timeout)
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

/**
 * After an error that is not the server's the state of the connection is unknown. A host that reads alone, or has lost
 * its cluster, is of no use either: another connection may lead to another one.
 */
function isUnusable(error: unknown): boolean {
  const kind = mysqlFault(error)?.kind
  return !isOfServer(error) || kind === 'hostNotReady' || kind === 'lost'
}

/** Closes a connection at once. The driver would send a quit command, and continue reading. */
export function endConnection(connection: mysql.PoolConnection): void {
  connection.destroy()
  streamOf(connection).destroy()
}
