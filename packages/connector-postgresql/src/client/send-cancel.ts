import { connect, type Socket } from 'node:net'
import type { PoolClient } from 'pg'

/** What the server needs to know of a connection; the driver's types leave it out. */
interface ServerProcess {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

const cancelRequest = 80_877_102
const length = 16
const cancelTimeoutMs = 5000

/**
 * Asks the server to stop what it does for a connection: one that was ended would be noticed only when there is
 * something to send. It does not report whether it worked; otherwise the statement timeout ends the statement.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html, canceling requests in progress
 */
export function sendCancel(client: PoolClient): void {
  // Every client of the driver that is connected has them.
  const { host, port, processID, secretKey } = client as unknown as ServerProcess
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(length)
  for (const [at, part] of [length, cancelRequest, processID, secretKey].entries()) message.writeInt32BE(part, at * 4)
  const socket: Socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // The server is unreachable: the statement has ended with its connection.
  socket.on('error', () => {})
  socket.setTimeout(cancelTimeoutMs, () => socket.destroy())
  socket.unref()
  socket.end(message)
}
