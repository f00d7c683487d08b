import type { Socket } from 'node:net'
import type { RawRow, Statement } from '@modelwire/connector-sql'
import { isFullPart } from '@modelwire/core/connector'
import type mysql from 'mysql2'

/** The socket that the driver reads from at the moment, which is that of TLS where it is used. Its types leave it out. */
export const streamOf = (connection: mysql.PoolConnection): Socket =>
  (connection as unknown as { stream: Socket }).stream

/** The driver's query, which gives its rows one by one. */
interface RowQuery {
  on(event: 'result', listener: (row: RawRow) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
}

/**
 * The rows of a statement, part by part: while nobody asks for more, the connection is not read, and the server waits. It has
 * the connection for itself.
 */
export class PartedRows {
  readonly #connection: mysql.PoolConnection
  #rows: RawRow[] = []
  #bytes = 0
  #isFirst = true
  #isDropped = false
  #end: { readonly error: Error | undefined } | undefined
  #wake: () => void = () => {}

  constructor(connection: mysql.PoolConnection) {
    this.#connection = connection
  }

  /** Sends the statement. */
  send({ sql, parameters }: Pick<Statement, 'sql' | 'parameters'>): void {
    const connection = this.#connection
    const stream = streamOf(connection)
    const count = (chunk: Buffer): void => {
      this.#bytes += chunk.byteLength
    }
    stream.on('data', count)
    const finish = (error?: Error): void => {
      stream.off('data', count)
      this.finish(error)
    }
    // Without a callback the driver keeps no rows.
    const query = connection.query({ sql, values: [...parameters] }) as unknown as RowQuery
    query.on('result', (row) => this.#take(row))
    query.on('error', finish)
    query.on('end', () => finish())
  }

  /** Called when no further rows come. */
  finish(error?: Error): void {
    this.#end ??= { error }
    this.#wake()
  }

  /** The next rows; undefined if there are no more. @throws the error of the statement */
  async next(): Promise<readonly RawRow[] | undefined> {
    if (this.#end === undefined && this.#rows.length === 0) await this.#more()
    if (this.#end?.error !== undefined) throw this.#end.error
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    this.#isFirst = false
    return rows.length === 0 ? undefined : rows
  }

  /** Drops all further rows. Resolves when the statement is over. */
  async drop(): Promise<void> {
    this.#isDropped = true
    this.#rows = []
    if (this.#end === undefined) await this.#more()
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      this.#connection.resume()
    })
  }

  #take(row: RawRow): void {
    if (this.#isDropped) return
    this.#rows.push(row)
    if (!isFullPart(this.#rows.length, this.#bytes, this.#isFirst)) return
    this.#connection.pause()
    this.#wake()
  }
}
