import { DataSourceUnavailable } from '@modelwire/core'
import {
  type ConnectorActivity,
  type PoolState,
  type StatementListener,
  throwIfLeft,
  untilLeft
} from '@modelwire/core/connector'
import type { StatementLog } from '../settings.ts'
import { HeldConnection } from './held-connection.ts'
import type { Connection, ConnectionPool, PartLimits, StatementResult, StatementRunner } from '../dialect/database.ts'
import { partsReader, type ReadParts } from './read-parts.ts'
import { verbOf } from '../statement/run-statement.ts'

/**
 * Called when a statement has ended: with its text, its start time on the clock of `performance.now()`, and the error if it
 * failed.
 */
type StatementEnd = (sql: string, start: number, error?: unknown) => void

type OpenPool = ConnectionPool & { readonly direct: StatementRunner; readonly readParts: ReadParts | undefined }

/** The pool of a database, which is opened on first use, and again on use after it was closed. */
export class Connections implements ConnectorActivity {
  readonly #openPool: () => ConnectionPool
  readonly #log: StatementLog | undefined
  readonly #parts: PartLimits | undefined
  #pool: OpenPool | undefined
  #listener: StatementListener | undefined
  #isClosed = false

  constructor(open: () => ConnectionPool, log: StatementLog | undefined, parts?: PartLimits) {
    this.#openPool = open
    this.#log = log
    this.#parts = parts
  }

  /** Runs statements outside of transactions. @throws {DataSourceUnavailable} it was closed */
  get direct(): StatementRunner {
    return this.#current().direct
  }

  /** Reads part by part, outside of transactions; undefined if reads are whole. @throws {DataSourceUnavailable} it was closed */
  get readParts(): ReadParts | undefined {
    return this.#current().readParts
  }

  /**
   * Takes a connection for several statements.
   * @throws {DataSourceUnavailable} it was closed, before or meanwhile
   */
  async hold(): Promise<HeldConnection> {
    const pool = this.#current()
    const connection = await pool.connect()
    if (pool === this.#pool) return new HeldConnection(connection)
    connection.release(false)
    throw disconnected()
  }

  /** Reports statements from now on, including those of an open pool. */
  listen(listener: StatementListener): void {
    this.#listener = listener
    if (this.#pool !== undefined) Object.assign(this.#pool, withReports(this.#pool, listener))
  }

  /** Another pool of the database, whose statements are logged and reported like those of this one. */
  watched(pool: ConnectionPool): ConnectionPool {
    const logged = this.#log === undefined ? pool : withLog(pool, this.#log)
    return this.#listener === undefined ? logged : withReports(logged, this.#listener)
  }

  /** The state of the connections, if a pool is open. */
  pools(): PoolState[] {
    const state = this.#pool?.state?.()
    return state === undefined ? [] : [state]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const pool = this.#pool
    this.#pool = undefined
    await pool?.end()
  }

  /** Accepts statements again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  #current(): OpenPool {
    if (this.#isClosed) throw disconnected()
    if (this.#pool === undefined) {
      const pool = this.watched(this.#openPool())
      // Of the open pool, whose connections may be watched later.
      const connect = (): Promise<Connection> => this.#pool?.connect() ?? pool.connect()
      const readParts = partsReader({ connect }, this.#parts)
      this.#pool = { ...pool, direct: pool.direct ?? runAnywhere(pool), readParts }
    }
    return this.#pool
  }
}

function disconnected(): DataSourceUnavailable {
  return new DataSourceUnavailable('the data source is disconnected')
}

/** A pool that logs every statement and its duration, also where it fails. */
function withLog(pool: ConnectionPool, log: StatementLog): ConnectionPool {
  return watchStatements(pool, (sql, start) => log(sql, performance.now() - start))
}

/** A pool that reports every statement by its verb: neither its text nor its values. */
function withReports(pool: ConnectionPool, listener: StatementListener): ConnectionPool {
  return watchStatements(pool, (sql, start, error) =>
    listener({
      verb: verbOf(sql),
      start,
      duration: performance.now() - start,
      ...(error !== undefined && { error })
    })
  )
}

/** A pool that says of every statement that it ended, also where it failed. */
function watchStatements(pool: ConnectionPool, ended: StatementEnd): ConnectionPool {
  const { connect, direct } = pool
  return {
    ...pool,
    connect: async () => {
      const connection = await connect()
      const { readParts } = connection
      return {
        ...watched(connection, ended),
        ...(readParts && { readParts: (statement) => watchedParts(readParts(statement), statement.sql, ended) }),
        release: (isBroken) => connection.release(isBroken)
      }
    },
    ...(direct && { direct: watched(direct, ended) })
  }
}

/** A read part by part that says that it ended, also where it was left early. */
async function* watchedParts(
  parts: AsyncGenerator<StatementResult>,
  sql: string,
  ended: StatementEnd
): AsyncGenerator<StatementResult> {
  const start = performance.now()
  let failure: unknown
  try {
    yield* parts
  } catch (error) {
    failure = error
    throw error
  } finally {
    ended(sql, start, failure)
  }
}

function watched(runner: StatementRunner, ended: StatementEnd): StatementRunner {
  return {
    run: async (statement) => {
      const start = performance.now()
      try {
        const result = await runner.run(statement)
        ended(statement.sql, start)
        return result
      } catch (error) {
        ended(statement.sql, start, error)
        throw error
      }
    }
  }
}

/** Runs each statement on any connection. A disconnected caller is refused at once. */
export function runAnywhere({ connect }: ConnectionPool): StatementRunner {
  return {
    run: (statement) =>
      untilLeft(statement.signal, async () => {
        const connection = await connect()
        try {
          throwIfLeft(statement.signal)
          return await connection.run(statement)
        } finally {
          connection.release(false)
        }
      })
  }
}
