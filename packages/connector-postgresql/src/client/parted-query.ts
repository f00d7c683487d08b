import { isFullPart, nextPart } from '@modelwire/core/connector'
import type { Connection } from 'pg'
import { PreparedQuery, type Prepared, type QueryExtras } from './prepared-query.ts'
import type { ParameterValue } from '../values/timestamps.ts'

/** The driver's own timer counts the whole statement, while a client reads: the longest that a timer can have. */
const noTimeout = 2 ** 31 - 1

/**
 * A query whose rows are fetched part by part: its portal stays open between them, in a transaction of its own, until there
 * are no more or it is ended. It has a connection for itself.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html, extended query, PortalSuspended
 */
export class PartedQuery extends PreparedQuery {
  #connection: Connection | undefined
  #rows = nextPart(0, 0)
  #bytes = 0
  /** The connection is not read: the part is full before its rows have all come, since they are large. */
  #isPaused = false
  /** The server waits for being asked for further rows. */
  #isSuspended = false
  #isEnding = false
  #isSynced = false
  #isOver = false
  #failure: Error | undefined
  #wake: () => void = () => {}
  #pause: Promise<void>

  constructor(prepared: Prepared, values: ParameterValue[], extras: QueryExtras) {
    super(prepared, values, { ...extras, timeout: noTimeout })
    this.#pause = this.#nextPause()
  }

  /** Called when the statement is over. */
  finish(failure: Error | undefined): void {
    this.#isOver = true
    this.#failure = failure
    this.#resume()
    this.#wake()
  }

  /** Waits for the next rows; false if there are no more. @throws the error of the statement */
  async arrive(): Promise<boolean> {
    await this.#pause
    if (this.#failure !== undefined) throw this.#failure
    return !this.#isOver
  }

  /** Asks for the next rows. */
  proceed(): void {
    if (this.#isOver || this.#connection === undefined) return
    this.#rows = nextPart(this.rowCount, this.#bytes)
    this.#bytes = 0
    this.forgetRows()
    this.#pause = this.#nextPause()
    this.#resume()
    if (this.#isSuspended) this.askForRows(this.#connection)
  }

  /** Ends the query, wherever it is. Resolves when the connection can be used again, or is broken. */
  async end(): Promise<void> {
    this.#isEnding = true
    while (!this.#isOver) {
      this.#pause = this.#nextPause()
      this.dropRows()
      this.#sync()
      this.#resume()
      await this.#pause
    }
  }

  override askForRows(connection: Connection): void {
    this.#connection = connection
    this.#isSuspended = false
    connection.execute({ portal: '', rows: String(this.#rows) }, true)
    connection.flush()
  }

  override handleDataRow(message: { readonly fields: readonly (string | null)[]; readonly length: number }): void {
    super.handleDataRow(message)
    this.#bytes += message.length
    if (this.#isPaused || this.#isEnding || !isFullPart(0, this.#bytes, false)) return
    this.#isPaused = true
    this.#connection?.stream.pause()
    this.#wake()
  }

  /** Called by the driver: there are more rows. */
  handlePortalSuspended(): void {
    this.#isSuspended = true
    this.#wake()
  }

  override handleCommandComplete(message: { readonly text: string }): void {
    super.handleCommandComplete(message)
    if (this.outcome().command !== '') this.#sync()
  }

  override handleError(error: Error): void {
    // The server ignores everything until then.
    this.#sync()
    super.handleError(error)
  }

  #nextPause(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#connection?.stream.resume()
  }

  #sync(): void {
    if (this.#isSynced || this.#connection === undefined) return
    this.#isSynced = true
    if (this.#connection.stream.writable) this.#connection.sync()
  }
}
