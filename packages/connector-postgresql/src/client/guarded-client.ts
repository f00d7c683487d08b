import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, type Connection } from 'pg'

/** A query whose result is being received on a connection. */
export interface Receiver {
  /** Called for each chunk with the number of its bytes, whether or not messages end in it. */
  readonly received: (bytes: number) => void
  readonly handleError: (error: Error) => void
}

/** A connection that knows its pending queries, in order. */
export interface GuardedConnection extends Connection {
  readonly receivers: Receiver[]
}

/**
 * A client of the driver that survives unreadable data. The driver reads within a socket event: an error there, such as a
 * string beyond the maximum length, would crash the process. Here it closes the connection, and the query being received
 * fails.
 */
export class GuardedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    // The driver's connections have the method, which is called for the socket, or for that of TLS around it.
    const connection = Object.assign(this.connection as Connection & Attaching, { receivers: [] })
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = (stream: Readable) => attach(guard(stream, connection))
  }
}

type Listener = (chunk: Buffer) => void

/** What the driver does with a socket to read from it. */
interface Readable {
  readonly on: (event: string, listener: Listener) => unknown
}

interface Attaching {
  attachListeners: (stream: Readable) => void
}

/** @param stream is the driver's socket, typed only as far as it is used */
function guard(stream: Readable, connection: GuardedConnection): Readable {
  return {
    on: (event, listener) => stream.on(event, event === 'data' ? readSafely(connection, listener) : listener)
  }
}

function readSafely(connection: GuardedConnection, read: Listener): Listener {
  return (chunk) => {
    try {
      read(chunk)
      connection.receivers[0]?.received(chunk.byteLength)
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      connection.receivers[0]?.handleError(cause)
      endConnection(connection, cause)
    }
  }
}

/** Closes a connection that can no longer be read. Queries queued after the failed one may be retried on another connection. */
export function endConnection({ stream }: { readonly stream: Duplex }, cause: Error): void {
  stream.destroy(new Error('connection ended: a result could not be read', { cause }))
}
