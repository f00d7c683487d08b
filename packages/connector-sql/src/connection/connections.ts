import { DataSourceUnavailable } from '@modelwire/core'
import type { ConnectorActivity, PoolState, StatementListener } from '@modelwire/core/connector'
import type { StatementLog } from '../settings.ts'
import { HeldConnection } from './held-connection.ts'
import type { ConnectionPool, StatementRunner } from './pool.ts'
import { runAnywhere } from './run-anywhere.ts'
import { withLog } from './with-log.ts'
import { withReports } from './with-reports.ts'

type OpenPool = ConnectionPool & { readonly direct: StatementRunner }

/** The pool of a database, which is opened when it is needed, and again when it is needed after it was closed. */
export class Connections implements ConnectorActivity {
  readonly #openPool: () => ConnectionPool
  readonly #log: StatementLog | undefined
  #pool: OpenPool | undefined
  #listener: StatementListener | undefined
  #isClosed = false

  constructor(open: () => ConnectionPool, log: StatementLog | undefined) {
    this.#openPool = open
    this.#log = log
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

  /** Reports statements from now on, those of a pool that is open, too. */
  listen(listener: StatementListener): void {
    this.#listener = listener
    if (this.#pool !== undefined) Object.assign(this.#pool, withReports(this.#pool, listener))
  }

  /** Another pool of the database, whose statements are logged and reported like those of this one. */
  watched(pool: ConnectionPool): ConnectionPool {
    const logged = this.#log === undefined ? pool : withLog(pool, this.#log)
    return this.#listener === undefined ? logged : withReports(logged, this.#listener)
  }

  /** The connections of the pool, where one is open. */
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

  /** Lets statements through again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  #current(): OpenPool {
    if (this.#isClosed) throw disconnected()
    if (this.#pool === undefined) {
      const pool = this.watched(this.#openPool())
      this.#pool = { ...pool, direct: pool.direct ?? runAnywhere(pool) }
    }
    return this.#pool
  }
}

function disconnected(): DataSourceUnavailable {
  return new DataSourceUnavailable('the data source is disconnected')
}
