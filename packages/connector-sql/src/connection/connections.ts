import { DataSourceUnavailable } from '@modelwire/core'
import type { StatementLog } from '../settings.ts'
import { HeldConnection } from './held-connection.ts'
import type { ConnectionPool, StatementRunner } from './pool.ts'
import { runAnywhere } from './run-anywhere.ts'
import { withLog } from './with-log.ts'

/** The pool of a database, which is opened when it is needed, and again when it is needed after it was closed. */
export class Connections {
  readonly #openPool: () => ConnectionPool
  #pool: Required<ConnectionPool> | undefined
  #isClosed = false

  constructor(open: () => ConnectionPool, log: StatementLog | undefined) {
    this.#openPool = () => (log === undefined ? open() : withLog(open(), log))
  }

  /** Runs statements outside of transactions. @throws {DataSourceUnavailable} it was closed */
  get direct(): StatementRunner {
    return this.#current().direct
  }

  /** Takes a connection for several statements. @throws {DataSourceUnavailable} it was closed, before or meanwhile */
  async hold(): Promise<HeldConnection> {
    const pool = this.#current()
    const connection = await pool.connect()
    if (pool === this.#pool) return new HeldConnection(connection)
    connection.release(false)
    throw disconnected()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const pool = this.#pool
    this.#pool = undefined
    await pool?.end()
  }

  /** Lets statements through again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  #current(): Required<ConnectionPool> {
    if (this.#isClosed) throw disconnected()
    if (this.#pool === undefined) {
      const pool = this.#openPool()
      this.#pool = { ...pool, direct: pool.direct ?? runAnywhere(pool) }
    }
    return this.#pool
  }
}

function disconnected(): DataSourceUnavailable {
  return new DataSourceUnavailable('the data source is disconnected')
}
