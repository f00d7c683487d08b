import type { CancelMethods } from '@modelwire/core/connector'
import { connect, type Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { endConnection } from './guarded-client.ts'

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

/** How the statement that a connection runs is stopped. */
export function cancelMethods(client: PoolClient): CancelMethods {
  return {
    cancel: () => sendCancel(client),
    end: () => endConnection(client.connection, new Error('the statement could not be cancelled'))
  }
}

/**
 * Asks the server to stop what it does for a connection, over a socket that the server closes once it has sent its
 * process the signal: a process that is idle by then ignores it. Whether the statement ended is not reported.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html, canceling requests in progress
 */
async function sendCancel(client: PoolClient): Promise<void> {
  // Every client of the driver that is connected has them.
  const { host, port, processID, secretKey } = client as unknown as ServerProcess
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(length)
  for (const [at, part] of [length, cancelRequest, processID, secretKey].entries()) message.writeInt32BE(part, at * 4)
  const socket: Socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  await new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve())
    socket.on('error', reject)
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy(new Error('the server does not take the cancel request')))
    // Reading is what notices that the server has closed it.
    socket.resume()
    socket.end(message)
  })
}
