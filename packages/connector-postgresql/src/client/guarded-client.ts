import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, type Connection } from 'pg'

/** A query whose result comes in on a connection. */
export interface Receiver {
  /** So many bytes more have come, in which messages ended or not. */
  readonly received: (bytes: number) => void
  readonly handleError: (error: Error) => void
}

/** A connection that knows which queries were sent on it and wait for the end of their result, the next one first. */
export interface GuardedConnection extends Connection {
  readonly receivers: Receiver[]
}

/**
 * A client of the driver that survives what it cannot read. The driver reads within an event of the socket: an error
 * there, such as that of a text which is longer than a text can be, would end the process. Here it ends the connection,
 * and the query whose result it was fails.
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

/** What the driver does with a socket in order to read from it. */
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

/**
 * Ends a connection on which nothing more can be read. Queries behind the failed one may be retried on another
 * connection.
 */
export function endConnection({ stream }: { readonly stream: Duplex }, cause: Error): void {
  stream.destroy(new Error('connection ended: a result could not be read', { cause }))
}
