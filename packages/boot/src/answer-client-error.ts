import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** What Node could not read as a request. */
interface ClientError extends Error {
  readonly code?: string
}

/** The statuses of errors that are not 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413
}

/**
 * Answers what is not a request at all, and so reaches no route, with an error in the form of all others: a malformed
 * first line, headers that are too long, a head that does not come to its end. The connection ends.
 */
export function answerClientError({ code = '' }: ClientError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const statusCode = statuses[code] ?? 400
  const phrase = STATUS_CODES[statusCode] ?? ''
  const body = JSON.stringify({ error: { statusCode, name: 'Error', message: phrase } })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${statusCode} ${phrase}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`
    )
  socket.destroy()
}
